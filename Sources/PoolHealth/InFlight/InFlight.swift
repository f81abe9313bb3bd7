import Synchronization

/// Which requests are being worked on, in which stage and for how long: for the moment at which nothing moves any more.
///
/// Fixed slots of atomics: neither beginning nor ending a request nor looking at all of them takes a lock, so none of
/// it can wait for a thread that stands still.
///
///     let request = inFlight.begin(id)
///     request.stage = "decode"
///     request.end()
public final class InFlight: Sendable {
    /// Bytes of an identifier that are kept.
    public static let identifierByteCount = 32

    /// The names of the stages; a request begins in the first.
    public let stages: [String]

    let slots: [InFlightSlot]
    private let next = Atomic<Int>(0)
    private let unregistered = Atomic<Int>(0)

    /// - Parameters:
    ///   - stages: every name a stage may have: 1 to 32, each once.
    ///   - capacity: the most requests at a time that are kept; those beyond are only counted. 88 bytes each.
    public init(stages: [String], capacity: Int = 1_024) {
        precondition((1...32).contains(stages.count) && Set(stages).count == stages.count, "1 to 32 stages, each once")
        precondition(capacity > 0, "room for no request")
        self.stages = stages
        slots = (0..<capacity).map { _ in InFlightSlot() }
    }

    /// Registers a request. Any thread; takes as long as a free slot is away, usually no time.
    ///
    /// - Parameter identifier: its first 32 bytes are kept.
    public func begin(_ identifier: String) -> InFlightRequest {
        let start = next.wrappingAdd(1, ordering: .relaxed).oldValue
        for offset in 0..<slots.count {
            let index = Int((UInt(bitPattern: start) &+ UInt(offset)) % UInt(slots.count))
            if let generation = slots[index].claim(identifier, now: Clock.monotonic().inNanoseconds) {
                return InFlightRequest(register: self, slot: index, generation: generation)
            }
        }
        unregistered.add(1, ordering: .relaxed)
        return InFlightRequest(register: self, slot: nil, generation: 0)
    }

    /// All requests, the oldest first. Any thread. A request that begins or ends meanwhile may be missing.
    public func snapshot() -> [InFlightEntry] {
        let now = Clock.monotonic().inNanoseconds
        return slots.compactMap { $0.read(stages: stages, now: now) }.sorted { $0.age > $1.age }
    }

    /// Requests in each stage, in the order of ``stages``. Allocates one array.
    public func countsByStage() -> [Int] {
        var counts = [Int](repeating: 0, count: stages.count)
        for slot in slots {
            if let stage = slot.currentStage, stage < counts.count { counts[stage] += 1 }
        }
        return counts
    }

    /// Requests since the start that found no free slot.
    public var overflow: Int { unregistered.load(ordering: .relaxed) }
}
