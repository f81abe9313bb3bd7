/// What all processors of the machine have spent their time with, in clock ticks: the first line of `/proc/stat`
/// (proc_stat(5)).
struct HostProcessorTime: Equatable {
    /// With nothing to run.
    var idleTicks: UInt64
    /// Taken by the hypervisor.
    var stealTicks: UInt64
    /// All of it.
    var totalTicks: UInt64

    /// `nil` if the line has fewer fields.
    static func parse(_ bytes: Span<UInt8>) -> HostProcessorTime? {
        var cursor = NumberCursor()
        cursor.skipWord(in: bytes)
        guard let user = cursor.next(in: bytes), let nice = cursor.next(in: bytes),
            let system = cursor.next(in: bytes), let idle = cursor.next(in: bytes),
            let waitingForDisk = cursor.next(in: bytes), let interrupts = cursor.next(in: bytes),
            let softInterrupts = cursor.next(in: bytes), let steal = cursor.next(in: bytes)
        else { return nil }
        return HostProcessorTime(
            idleTicks: idle &+ waitingForDisk, stealTicks: steal,
            totalTicks: user &+ nice &+ system &+ idle &+ waitingForDisk &+ interrupts &+ softInterrupts &+ steal)
    }

    /// The share of the time since an earlier reading with nothing to run; `nil` if no tick has passed.
    func idleShare(since earlier: HostProcessorTime) -> Double? {
        guard totalTicks > earlier.totalTicks else { return nil }
        return Double(idleTicks &- min(idleTicks, earlier.idleTicks)) / Double(totalTicks - earlier.totalTicks)
    }
}
