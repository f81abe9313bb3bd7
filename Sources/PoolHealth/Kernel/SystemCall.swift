/// What `/proc/<pid>/task/<tid>/syscall` says (proc_pid_syscall(5)).
enum SystemCall: Equatable {
    /// On a processor or waiting for one; the kernel doesn't tell which.
    case running
    /// Asleep in a system call.
    case inside(number: Int, firstArgument: UInt, stackPointer: UInt, programCounter: UInt)
    /// Asleep, but not in a system call: in a page fault, or stopped.
    case outside(stackPointer: UInt, programCounter: UInt)

    /// `nil` for anything else, an empty file above all: the thread is gone.
    static func parse(_ bytes: Span<UInt8>) -> SystemCall? {
        guard bytes.count > 0 else { return nil }
        if bytes[0] == UInt8(ascii: "r") { return .running }
        if bytes[0] == UInt8(ascii: "-") {
            // `-1 stack-pointer program-counter`
            var cursor = NumberCursor(position: 1)
            guard cursor.next(in: bytes) == 1, let stackPointer = cursor.next(in: bytes),
                let programCounter = cursor.next(in: bytes)
            else {
                return nil
            }
            return .outside(stackPointer: UInt(stackPointer), programCounter: UInt(programCounter))
        }
        var cursor = NumberCursor()
        guard let number = cursor.next(in: bytes), let firstArgument = cursor.next(in: bytes) else { return nil }
        for _ in 0..<5 { cursor.skipWord(in: bytes) }
        guard let stackPointer = cursor.next(in: bytes), let programCounter = cursor.next(in: bytes) else { return nil }
        return .inside(
            number: Int(truncatingIfNeeded: number), firstArgument: UInt(firstArgument),
            stackPointer: UInt(stackPointer), programCounter: UInt(programCounter))
    }

    /// Where the stack of a sleeping thread ends and its next instruction is.
    var context: (stackPointer: UInt, programCounter: UInt)? {
        switch self {
        case .running: nil
        case .inside(_, _, let stackPointer, let programCounter): (stackPointer, programCounter)
        case .outside(let stackPointer, let programCounter): (stackPointer, programCounter)
        }
    }
}
