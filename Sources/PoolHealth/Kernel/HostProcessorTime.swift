/// What the machine's hypervisor took from it, in `/proc/stat` (proc_stat(5)).
enum HostProcessorTime {
    /// The steal time of all processors, in clock ticks; `nil` if the first line has no such field.
    static func stealTicks(_ bytes: Span<UInt8>) -> UInt64? {
        var cursor = NumberCursor()
        cursor.skipWord(in: bytes)
        // user, nice, system, idle, iowait, irq, softirq
        for _ in 0..<7 {
            guard cursor.next(in: bytes) != nil else { return nil }
        }
        return cursor.next(in: bytes)
    }
}
