/// Writes a list of addresses in the Compact Backtrace Format of Swift's `Runtime` module (docs/CompactBacktraceFormat
/// in the Swift repository), which is how a backtrace that was not captured by it gets in.
enum CompactBacktrace {
    /// - Parameter frames: the program counter first, then return addresses.
    static func bytes(_ frames: [UInt]) -> [UInt8] {
        // Version 1, 64-bit words.
        var bytes: [UInt8] = [0x02]
        for (index, address) in frames.enumerated() {
            // A program counter or a return address; absolute; eight bytes.
            bytes.append((index == 0 ? 0x10 : 0x20) | 0x08 | 0x07)
            for shift in stride(from: UInt64(56), through: 0, by: -8) {
                bytes.append(UInt8(truncatingIfNeeded: UInt64(address) >> shift))
            }
        }
        bytes.append(0)
        return bytes
    }
}
