import CPoolHealth

/// Takes stacks of threads that are asleep, without stopping or signalling them. Used by one thread at a time.
final class StackReader {
    /// As much of a stack as is looked at: half a mebibyte.
    private static let maximumWords = 65_536
    /// The most frames of one stack.
    static let maximumFrames = 64
    /// The length of `swift_job_run`, generously: 209 bytes in Swift 6.3, and another job function follows it.
    private static let jobRunLength: UInt = 512

    private var images: LoadedImages
    private let jobRun: UInt
    /// Kept, since allocating it for each stack would take longer than reading one. Only touched pages are memory.
    private let words: UnsafeMutableBufferPointer<UInt>

    init() {
        images = LoadedImages.now()
        jobRun = cpoolhealth_job_run()
        words = .allocate(capacity: Self.maximumWords)
    }

    deinit {
        words.deallocate()
    }

    /// Looks again what is loaded: a library that came later has code too.
    func refreshImages() {
        images = LoadedImages.now()
    }

    /// The stack of a thread, or `nil` if it is running, is gone, or moved each time it was being read.
    func read(thread: Int32, systemCall: KernelFile, schedule: KernelFile) -> RawStack? {
        for _ in 0..<Self.attempts {
            guard let copy = copy(systemCall: systemCall, schedule: schedule) else { continue }
            return walk(copy, thread: thread)
        }
        return nil
    }

    /// A thread that asks every few milliseconds whether something is done is likely to be asleep when it is asked
    /// again; one that computes is running each time.
    private static let attempts = 3

    /// What was found of a thread while it slept. The words of its stack are in ``words``.
    private struct Copy {
        let call: SystemCall
        let programCounter: UInt
        let stackPointer: UInt
        let count: Int
        let timeslices: UInt64
    }

    /// The kernel says where a sleeping thread's stack pointer is. The copy is one moment's only if the thread slept
    /// through the copying: then its system call and the number of its time slices are the same before and after.
    /// Nothing else is done meanwhile, since some threads sleep only for a millisecond or two.
    private func copy(systemCall: KernelFile, schedule: KernelFile) -> Copy? {
        guard let before = schedule.read(ScheduleStatistics.parse), let call = systemCall.read(SystemCall.parse),
            let context = call.context
        else { return nil }
        let count = MemoryReader.read(context.stackPointer, into: words)
        guard count > 0, systemCall.read(SystemCall.parse) == call,
            schedule.read(ScheduleStatistics.parse)?.timeslices == before.timeslices
        else { return nil }
        return Copy(
            call: call, programCounter: context.programCounter, stackPointer: context.stackPointer, count: count,
            timeslices: before.timeslices)
    }

    private func walk(_ copy: Copy, thread: Int32) -> RawStack {
        let walk = StackWalk(
            isReturnAddress: { [images] address in
                images.isCode(address) && MemoryReader.bytes(before: address).map(CallSite.endsWithCall) == true
            }, callee: Self.callee)
        let calls = walk.frames(
            programCounter: copy.programCounter, stackPointer: copy.stackPointer,
            words: UnsafeBufferPointer(rebasing: words[..<copy.count]), limit: Self.maximumFrames)
        var wait: WaitKind?
        if case .inside(let number, _, _, _) = copy.call { wait = WaitKind(systemCall: number) }
        return RawStack(
            thread: thread, frames: calls.frames, linked: calls.linked, wait: wait, timeslices: copy.timeslices)
    }

    /// Where the function begins that the call before a return address calls, through the procedure linkage table if
    /// need be.
    private static func callee(_ returnAddress: UInt) -> UInt? {
        guard let bytes = MemoryReader.bytes(before: returnAddress),
            let target = CallSite.target(of: bytes, returnAddress: returnAddress)
        else { return nil }
        #if arch(x86_64)
            // `jmp *displacement(%rip)`, maybe behind `endbr64`.
            var stub = target
            if let start = MemoryReader.word(at: stub), start & 0xFFFF_FFFF == 0xFA1E_0FF3 { stub += 4 }
            guard let jump = MemoryReader.word(at: stub), jump & 0xFFFF == 0x25FF else { return afterJump(target) }
            let displacement = Int(Int32(truncatingIfNeeded: Int(bitPattern: jump >> 16)))
            return MemoryReader.word(at: stub &+ 6 &+ UInt(bitPattern: displacement)).map(afterJump)
        #else
            return target
        #endif
    }

    #if arch(x86_64)
        /// Where a function goes on that consists of a `jmp rel32`: the compiler has found another one that is the
        /// same.
        private static func afterJump(_ function: UInt) -> UInt {
            guard let jump = MemoryReader.word(at: function), jump & 0xFF == 0xE9 else { return function }
            return function &+ 5 &+ UInt(bitPattern: Int(Int32(truncatingIfNeeded: Int(bitPattern: jump >> 8))))
        }
    #endif

    /// Whether the thread runs a job of Swift's and not a block of Dispatch's.
    func isSwiftJob(_ stack: RawStack) -> Bool {
        stack.frames[stack.linked...].contains { $0 > jobRun && $0 < jobRun + Self.jobRunLength }
    }

    /// The words of a sleeping thread's stack from the stack pointer to its end; `nil` if there are none.
    func withStack<Result>(from stackPointer: UInt, _ body: (UnsafeBufferPointer<UInt>) -> Result?) -> Result? {
        let count = MemoryReader.read(stackPointer, into: words)
        return count > 0 ? body(UnsafeBufferPointer(rebasing: words[..<count])) : nil
    }

    /// Whether an address is inside of code.
    func isCode(_ address: UInt) -> Bool { images.isCode(address) }

    /// The data segment that an address is in.
    func data(holding address: UInt) -> (range: Range<UInt>, isMainProgram: Bool)? { images.data(holding: address) }
}
