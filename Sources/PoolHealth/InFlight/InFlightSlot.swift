import Synchronization

/// Room for one request.
///
/// `generation` is even while the slot is free or being filled, and odd while it holds a request. A reader that finds
/// the same odd number before and after has read one request's fields.
final class InFlightSlot: Sendable {
    private let isTaken = Atomic<Bool>(false)
    private let generation = Atomic<UInt64>(0)
    private let stage = Atomic<Int>(0)
    private let began = Atomic<Int64>(0)
    // The identifier's bytes.
    private let first = Atomic<UInt64>(0)
    private let second = Atomic<UInt64>(0)
    private let third = Atomic<UInt64>(0)
    private let fourth = Atomic<UInt64>(0)

    /// The generation of the request that has the slot from now on; `nil` if another one has it.
    func claim(_ identifier: String, now: Int64) -> UInt64? {
        guard !isTaken.load(ordering: .relaxed), !isTaken.exchange(true, ordering: .acquiring) else { return nil }
        stage.store(0, ordering: .relaxed)
        began.store(now, ordering: .relaxed)
        var words: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)
        withUnsafeMutableBytes(of: &words) { bytes in
            for (index, byte) in zip(bytes.indices, identifier.utf8) { bytes[index] = byte }
        }
        first.store(words.0, ordering: .relaxed)
        second.store(words.1, ordering: .relaxed)
        third.store(words.2, ordering: .relaxed)
        fourth.store(words.3, ordering: .relaxed)
        return generation.wrappingAdd(1, ordering: .releasing).newValue
    }

    func move(to newStage: Int, generation expected: UInt64) {
        guard generation.load(ordering: .relaxed) == expected else { return }
        stage.store(newStage, ordering: .relaxed)
    }

    func release(generation expected: UInt64) {
        let (exchanged, _) = generation.compareExchange(
            expected: expected, desired: expected &+ 1, ordering: .acquiringAndReleasing)
        if exchanged { isTaken.store(false, ordering: .releasing) }
    }

    /// `nil` if there is no request.
    var currentStage: Int? {
        generation.load(ordering: .acquiring) % 2 == 1 ? stage.load(ordering: .relaxed) : nil
    }

    /// `nil` if there is no request, or another one than before.
    func read(stages: [String], now: Int64) -> InFlightEntry? {
        let before = generation.load(ordering: .acquiring)
        guard before % 2 == 1 else { return nil }
        let words = (
            first.load(ordering: .relaxed), second.load(ordering: .relaxed), third.load(ordering: .relaxed),
            fourth.load(ordering: .relaxed)
        )
        let began = began.load(ordering: .relaxed)
        let stage = stage.load(ordering: .acquiring)
        atomicMemoryFence(ordering: .acquiring)
        guard generation.load(ordering: .relaxed) == before, stage < stages.count else { return nil }
        let bytes = withUnsafeBytes(of: words) { Array($0.prefix { $0 != 0 }) }
        return InFlightEntry(
            identifier: String(decoding: bytes, as: UTF8.self), stage: stages[stage],
            age: .nanoseconds(max(0, now - began)))
    }
}
