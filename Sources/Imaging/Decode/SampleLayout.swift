/// How a loader's pixels lie in memory, and how they become red, green and blue.
///
/// As Pillow's `convert("RGB")`: alpha is kept apart rather than composited, grey is repeated, 16 bits are cut to the
/// upper 8, and no colour profile is applied. One difference is wanted: Pillow shows 16-bit grey without alpha as white
/// wherever it is above 255 of 65535, which leaves no picture; here it is cut like everything else.
struct SampleLayout {
    private let isWide: Bool
    private let bands: Int
    private let isCMYK: Bool

    /// Nil for samples that are neither 8 nor 16 bits wide, or if there are none.
    init?(bitsPerSample: Int, bands: Int, isCMYK: Bool) {
        guard [8, 16].contains(bitsPerSample), bands > 0 else { return nil }
        isWide = bitsPerSample == 16
        self.bands = bands
        self.isCMYK = isCMYK && bands >= 4
    }

    /// - Parameters:
    ///   - source: As many pixels as `row` has, `bands` samples each.
    ///   - row: Becomes pixels with red in the lowest byte and alpha in the highest.
    func convert(_ source: UnsafeRawPointer, to row: UnsafeMutableBufferPointer<UInt32>) {
        if isWide {
            let samples = source.assumingMemoryBound(to: UInt16.self)
            gather(into: row) { UInt32(samples[$0] >> 8) }
        } else {
            let samples = source.assumingMemoryBound(to: UInt8.self)
            gather(into: row) { UInt32(samples[$0]) }
        }
    }

    @inline(__always)
    private func gather(into row: UnsafeMutableBufferPointer<UInt32>, sample: (Int) -> UInt32) {
        if isCMYK {
            for index in row.indices {
                let place = index * bands
                let inks = sample(place) | sample(place + 1) << 8 | sample(place + 2) << 16 | sample(place + 3) << 24
                row[index] = ~inks
            }
            AdobeCMYK.convertToRGB(row)
        } else if bands >= 4 {
            for index in row.indices {
                let place = index * bands
                row[index] = sample(place) | sample(place + 1) << 8 | sample(place + 2) << 16 | sample(place + 3) << 24
            }
        } else if bands == 3 {
            for index in row.indices {
                let place = index * bands
                row[index] = sample(place) | sample(place + 1) << 8 | sample(place + 2) << 16 | Self.opaque
            }
        } else if bands == 2 {
            for index in row.indices { row[index] = sample(2 * index) * 0x01_01_01 | sample(2 * index + 1) << 24 }
        } else {
            for index in row.indices { row[index] = sample(index) * 0x01_01_01 | Self.opaque }
        }
    }

    private static let opaque: UInt32 = 255 << 24
}
