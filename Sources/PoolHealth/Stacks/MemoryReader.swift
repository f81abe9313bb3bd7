import CPoolHealth

/// Reads memory of this process that may vanish at any time: a thread's stack can be unmapped while it is looked at, so
/// it must not be touched directly.
enum MemoryReader {
    /// Words from `address` on, as many as there are, at most `words.count`; how many.
    static func read(_ address: UInt, into words: UnsafeMutableBufferPointer<UInt>) -> Int {
        let chunk = 8_192
        var count = 0
        while count < words.count {
            let wanted = min(chunk, words.count - count)
            guard let target = words.baseAddress else { return count }
            let bytes = cpoolhealth_read(
                address + UInt(count * MemoryLayout<UInt>.stride), target + count,
                wanted * MemoryLayout<UInt>.stride)
            guard bytes > 0 else { return count }
            count += bytes / MemoryLayout<UInt>.stride
            guard bytes == wanted * MemoryLayout<UInt>.stride else { return count }
        }
        return count
    }

    /// The bytes before `address`, the nearest one last; `nil` unless all are there.
    static func bytes(before address: UInt) -> CallSite.Bytes? {
        var bytes: UInt64 = 0
        let count = MemoryLayout<UInt64>.size
        guard address > UInt(count), cpoolhealth_read(address - UInt(count), &bytes, count) == count else { return nil }
        return CallSite.Bytes(littleEndian: UInt64(littleEndian: bytes))
    }

    /// The word at `address`; `nil` if there is none.
    static func word(at address: UInt) -> UInt? {
        var word: UInt = 0
        let count = MemoryLayout<UInt>.size
        return cpoolhealth_read(address, &word, count) == count ? word : nil
    }

    /// Whether the kernel lets a process read its own memory this way: a seccomp filter may not.
    static func works() -> Bool {
        var probe: UInt = 0x5157_4654
        var copy: UInt = 0
        let count = MemoryLayout<UInt>.size
        return withUnsafePointer(to: &probe) { pointer in
            cpoolhealth_read(UInt(bitPattern: pointer), &copy, count) == count
        } && copy == probe
    }
}
