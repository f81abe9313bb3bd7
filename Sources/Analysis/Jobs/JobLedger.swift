/// Which job holds how much memory, and who waits for more: the budget's rules without a task or a lock.
///
/// Whoever brings a picture stands in one line, first in, first out: a large picture is not starved by small ones that
/// would still fit. Results stand in no line, since each takes the place of a picture that was let in.
struct JobLedger {
    /// What is held for one job.
    struct Account: Hashable, Sendable {
        fileprivate let number: Int
    }

    /// A picture's place in the line.
    struct Place: Equatable, Sendable {
        fileprivate let number: Int
        fileprivate let account: Account
        fileprivate let byteCount: Int
    }

    /// What whoever stands in the line is told.
    enum Verdict: Equatable {
        /// The room is taken.
        case granted
        /// It is not its turn yet, or there is no room but there will be.
        case wait
        /// It is its turn, there is no room, and nothing that is under way will make any.
        case needsRoom
        /// The job was closed.
        case closed
    }

    private struct Holdings {
        var pictures = 0
        var results = 0
        var isPaused = false
        /// A picture was refused, and the job will be closed for it.
        var isRefused = false

        /// Whether some of it will be free before long, without anybody's doing.
        var willMakeRoom: Bool { isRefused || (pictures > 0 && !isPaused) }
    }

    private let limit: Int
    private var holdings: [Account: Holdings] = [:]
    private var line: [Place] = []
    private var nextNumber = 0

    init(limit: Int) {
        self.limit = limit
    }

    /// Bytes that are taken.
    var byteCount: Int { holdings.values.reduce(0) { $0 + $1.pictures + $1.results } }

    mutating func open() -> Account {
        let account = Account(number: takeNumber())
        holdings[account] = Holdings()
        return account
    }

    /// Frees all that is held for a job. What comes for it later changes nothing.
    mutating func close(_ account: Account) {
        holdings[account] = nil
    }

    /// Pictures of a paused job make no room.
    mutating func setPaused(_ isPaused: Bool, _ account: Account) {
        holdings[account]?.isPaused = isPaused
    }

    /// A picture has become a result.
    mutating func exchange(picture bytes: Int, forResult resultBytes: Int, of account: Account) {
        holdings[account]?.pictures -= bytes
        holdings[account]?.results += resultBytes
    }

    /// Goes to the end of the line.
    mutating func enter(picture bytes: Int, of account: Account) -> Place {
        let place = Place(number: takeNumber(), account: account, byteCount: bytes)
        line.append(place)
        return place
    }

    /// Leaves the line, from wherever in it.
    mutating func leave(_ place: Place) {
        line.removeAll { $0 == place }
    }

    /// What to do at this place in the line; takes the room if it is there.
    mutating func decide(_ place: Place) -> Verdict {
        guard holdings[place.account] != nil else { return .closed }
        guard line.first == place else { return .wait }
        let taken = byteCount
        // A picture that is larger than all of it is let in alone.
        if taken == 0 || taken + place.byteCount <= limit {
            holdings[place.account]?.pictures += place.byteCount
            return .granted
        }
        return holdings.values.contains(where: \.willMakeRoom) ? .wait : .needsRoom
    }

    /// Why there is no room for this picture. Its job has to be closed: those that stand behind it count on that.
    mutating func refuse(_ place: Place) -> JobError {
        guard let results = holdings[place.account]?.results else { return .cancelled }
        holdings[place.account]?.isRefused = true
        return results > 0 && results + place.byteCount > limit
            ? .tooLarge(limitBytes: limit) : .noRoom(limitBytes: limit)
    }

    private mutating func takeNumber() -> Int {
        nextNumber += 1
        return nextNumber
    }
}
