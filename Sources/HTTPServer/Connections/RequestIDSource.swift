import Synchronization

/// Makes request ids: 16 hexadecimal digits that don't repeat within a process and are unlikely to between two. Not
/// secret.
final class RequestIDSource: Sendable {
    /// Most characters of an id that a client may choose.
    private static let clientIDLimit = 128
    /// The step of SplitMix64: a whole period of 2^64 different values.
    private static let step: UInt64 = 0x9E37_79B9_7F4A_7C15

    private let seed = UInt64.random(in: .min ... .max)
    private let counter = Atomic<UInt64>(0)

    /// The client's id when it is of letters, digits, dot, underscore and hyphen, otherwise a new one.
    func id(proposed: String?) -> String {
        if let proposed, (1...Self.clientIDLimit).contains(proposed.utf8.count),
            proposed.utf8.allSatisfy(Self.isAllowed)
        {
            return proposed
        }
        return next()
    }

    func next() -> String {
        // SplitMix64's output function is a bijection, so different counts give different ids.
        var mixed = seed &+ counter.wrappingAdd(1, ordering: .relaxed).newValue &* Self.step
        mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
        mixed ^= mixed >> 31
        let digits = String(mixed, radix: 16)
        return String(repeating: "0", count: 16 - digits.utf8.count) + digits
    }

    private static func isAllowed(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "-"): true
        default: false
        }
    }
}
