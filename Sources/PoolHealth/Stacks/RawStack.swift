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
}
