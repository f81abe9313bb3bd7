/// Which runs are under way and who waits for which: the rules of a single flight without a task or a lock.
///
/// A run is on the board, under its key, as long as somebody waits for it. Either it lands, or the last waiter leaves;
/// both take it off for good, so a key is free for a new run while the old one is still ending. Every run has a number
/// of its own that is never reused: what the old one says when it ends finds nothing of its successor.
struct FlightBoard<Key: Hashable, Waiter, Run> {
    /// One run's identity.
    struct Flight {
        fileprivate let key: Key
        fileprivate let generation: UInt64
    }

    /// A waiter's place on one run.
    struct Seat {
        let flight: Flight
        fileprivate let ticket: WaitingLine<Waiter>.Ticket
    }

    /// What comes of a waiter that wants to leave.
    enum Departure {
        /// The run has landed, and its result is the waiter's.
        case tooLate
        /// Others still wait for the run.
        case left(Waiter)
        /// Nobody waits any more: the run is to be cancelled.
        case leftLast(Waiter, abandoned: Run?)
    }

    /// What comes of a run that has ended.
    enum Landing {
        /// Those who wait for it, in the order they came.
        case awaited([Waiter])
        /// Everybody had left, the last one at this instant.
        case abandoned(since: ContinuousClock.Instant)
    }

    private struct Entry {
        let generation: UInt64
        var run: Run?
        var waiters = WaitingLine<Waiter>()

        mutating func seat(_ waiter: Waiter) -> (generation: UInt64, ticket: WaitingLine<Waiter>.Ticket) {
            (generation, waiters.append(waiter))
        }
    }

    private var entries: [Key: Entry] = [:]
    private var abandoned: [UInt64: ContinuousClock.Instant] = [:]
    private var nextGeneration: UInt64 = 0

    /// Runs that somebody waits for.
    var awaitedCount: Int { entries.count }

    /// Runs that everybody has left and that have not ended.
    var abandonedCount: Int { abandoned.count }

    /// Those who wait, for all runs together.
    var waiterCount: Int { entries.values.reduce(0) { $0 + $1.waiters.count } }

    /// Seats a waiter on the key's run, or on a new one, which the caller then has to start.
    mutating func join(_ key: Key, _ waiter: Waiter) -> (seat: Seat, role: FlightRole) {
        let fresh = Entry(generation: nextGeneration)
        let (generation, ticket) = entries[key, default: fresh].seat(waiter)
        let role: FlightRole = generation == fresh.generation ? .leader : .joined
        if role == .leader {
            nextGeneration += 1
        }
        return (Seat(flight: Flight(key: key, generation: generation), ticket: ticket), role)
    }

    /// Notes how to cancel a run. Does nothing if it has landed already.
    mutating func attach(_ run: Run, to flight: Flight) {
        guard entries[flight.key]?.generation == flight.generation else { return }
        entries[flight.key]?.run = run
    }

    /// Takes a waiter from its seat. If it was the last, its run is off the board from here on.
    mutating func leave(_ seat: Seat, at now: ContinuousClock.Instant) -> Departure {
        let flight = seat.flight
        guard entries[flight.key]?.generation == flight.generation,
            let waiter = entries[flight.key]?.waiters.remove(seat.ticket)
        else { return .tooLate }
        guard let entry = entries[flight.key], entry.waiters.isEmpty else { return .left(waiter) }
        entries[flight.key] = nil
        abandoned[flight.generation] = now
        return .leftLast(waiter, abandoned: entry.run)
    }

    /// Ends a run, which says so once, and gives those who are to have its result.
    ///
    /// - Precondition: the run has not landed before.
    mutating func land(_ flight: Flight) -> Landing {
        if let since = abandoned.removeValue(forKey: flight.generation) {
            return .abandoned(since: since)
        }
        precondition(entries[flight.key]?.generation == flight.generation, "a run lands once")
        var waiters = entries.removeValue(forKey: flight.key)?.waiters ?? WaitingLine()
        var awaiting: [Waiter] = []
        while let waiter = waiters.removeHead() {
            awaiting.append(waiter)
        }
        return .awaited(awaiting)
    }
}

extension FlightBoard.Flight: Sendable where Key: Sendable {}
extension FlightBoard.Seat: Sendable where Key: Sendable {}
