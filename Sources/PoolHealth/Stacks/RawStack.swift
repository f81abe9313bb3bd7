/// The calls that a blocked thread is in, as addresses: the program counter first, then return addresses.
struct RawStack: Sendable, Equatable {
    let thread: Int32
    let frames: [UInt]
    /// Where those begin that are surely not left over from earlier calls.
    let linked: Int
    /// What the thread waits for; `nil` if it isn't known.
    let wait: WaitKind?
    /// How often the thread had been on a processor then: as long as this stays, so does the stack.
    let timeslices: UInt64

    /// Whether it is in the same calls as another stack: of a thread that asks again and again whether something is
    /// done, each is.
    func isInCalls(of other: RawStack) -> Bool {
        frames.first == other.frames.first && frames[linked...] == other.frames[other.linked...]
    }
}
