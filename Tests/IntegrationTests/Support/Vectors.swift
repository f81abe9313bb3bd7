import Foundation
import Testing

/// The cosine of the angle between two vectors of the same length.
func cosine(_ first: [Double], _ second: [Double]) -> Double {
    precondition(first.count == second.count)
    func dot(_ a: [Double], _ b: [Double]) -> Double { zip(a, b).reduce(0) { $0 + $1.0 * $1.1 } }
    return dot(first, second) / (dot(first, first).squareRoot() * dot(second, second).squareRoot())
}

extension Answer {
    /// The vector of a flat answer.
    func embedding() throws -> [Double] {
        let numbers = try #require(try json()["embedding"] as? [NSNumber], "\(text.prefix(300))")
        return numbers.map(\.doubleValue)
    }
}

/// Little-endian float32 as numbers.
func floats(_ data: Data) -> [Double] {
    stride(from: 0, to: data.count, by: 4).map { offset in
        let bits = (0..<4).reduce(UInt32(0)) { $0 | UInt32(data[data.startIndex + offset + $1]) << (8 * UInt32($1)) }
        return Double(Float(bitPattern: bits))
    }
}
