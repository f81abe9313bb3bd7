import Glibc

extension Interpolation {
    /// The distance, in source samples, beyond which the filter is zero.
    var support: Double {
        switch self {
        case .bilinear: 1
        case .bicubic: 2
        case .lanczos: 3
        }
    }

    /// The filter's value at a distance from its centre.
    func weight(at distance: Double) -> Double {
        switch self {
        case .bilinear: Self.triangle(abs(distance))
        case .bicubic: Self.cubic(abs(distance))
        case .lanczos: Self.windowedSinc(distance)
        }
    }

    private static func triangle(_ x: Double) -> Double {
        x < 1 ? 1 - x : 0
    }

    /// Keys, "Cubic convolution interpolation for digital image processing" (1981), with a = -0.5.
    private static func cubic(_ x: Double) -> Double {
        let a = -0.5
        if x < 1 { return ((a + 2) * x - (a + 3)) * x * x + 1 }
        if x < 2 { return (((x - 5) * x + 8) * x - 4) * a }
        return 0
    }

    private static func windowedSinc(_ x: Double) -> Double {
        -3 <= x && x < 3 ? sinc(x) * sinc(x / 3) : 0
    }

    private static func sinc(_ x: Double) -> Double {
        x == 0 ? 1 : sin(x * .pi) / (x * .pi)
    }
}
