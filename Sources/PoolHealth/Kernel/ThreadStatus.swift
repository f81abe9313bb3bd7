/// What the `stat` and `status` files of a thread say (proc_pid_stat(5), proc_pid_status(5)), as far as it is used.
enum ThreadStatus {
    /// The state's letter in `stat`: R, S, D, T, t, Z and so on. `nil` if the line makes no sense.
    ///
    /// The name stands before it in parentheses and may itself hold spaces and parentheses, so the last one counts.
    static func state(stat bytes: Span<UInt8>) -> UInt8? {
        var position = bytes.count - 1
        while position >= 0, bytes[position] != UInt8(ascii: ")") { position -= 1 }
        guard position >= 0 else { return nil }
        var cursor = NumberCursor(position: position + 1)
        return cursor.nextByte(in: bytes)
    }

    /// The process that traces this one, in `status`; 0 for none.
    static func tracer(status bytes: Span<UInt8>) -> UInt64? {
        LabelledNumber.find("TracerPid", separator: UInt8(ascii: ":"), in: bytes)
    }

    /// How often the thread gave its processor up or lost it, in `status`.
    static func contextSwitches(status bytes: Span<UInt8>) -> UInt64? {
        guard
            let voluntary = LabelledNumber.find("voluntary_ctxt_switches", separator: UInt8(ascii: ":"), in: bytes),
            let others = LabelledNumber.find("nonvoluntary_ctxt_switches", separator: UInt8(ascii: ":"), in: bytes)
        else { return nil }
        return voluntary &+ others
    }
}
