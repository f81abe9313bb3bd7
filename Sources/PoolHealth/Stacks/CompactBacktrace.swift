/// Writes addresses in the Compact Backtrace Format of Swift's `Runtime` module (docs/CompactBacktraceFormat in the
/// Swift repository), which is how a backtrace that was not captured by it gets in.
enum CompactBacktrace {
    /// An address on a stack, and which kind: a return address belongs to the instruction before it.
    struct Entry: Hashable {
        let address: UInt
        let isReturnAddress: Bool
    }

    static func bytes(_ entries: [Entry]) -> [UInt8] {
        // Version 1, 64-bit words.
        var bytes: [UInt8] = [0x02]
        for entry in entries {
            // Its kind; absolute; eight bytes.
            bytes.append((entry.isReturnAddress ? 0x20 : 0x10) | 0x08 | 0x07)
            for shift in stride(from: UInt64(56), through: 0, by: -8) {
                bytes.append(UInt8(truncatingIfNeeded: UInt64(entry.address) >> shift))
            }
        }
        bytes.append(0)
        return bytes
    }
}
