import Scheduling
import Threads

/// The memory of all jobs: pictures that wait, and results that are kept.
///
/// Results are never refused: each takes the place of a picture that was let in. So whoever brings pictures waits until
/// there is room, and results may pass the limit by no more than they are larger than their pictures.
final class JobBudget: Sendable {
    private struct Books {
        var pictures = 0
        var results = 0
    }

    let limit: Int
    private let books = Locked(Books())
    private let freed = ChangeSignal()

    init(limit: Int) {
        self.limit = limit
    }

    /// Bytes that are taken.
    var byteCount: Int { books.withLock { $0.pictures + $0.results } }

    /// Takes room for a picture, suspending until it is there.
    ///
    /// - Parameter makeRoom: Called while there is none and no waiting picture will make any; says whether it has
    ///   freed something.
    /// - Throws: `CancellationError`; ``JobError/tooLarge(limitBytes:)`` if there is no room and none will come.
    func take(picture bytes: Int, makeRoom: () -> Bool) async throws {
        while true {
            let version = freed.version
            let (isTaken, picturesWait) = books.withLock { books in
                let fits = books.pictures + books.results + bytes <= limit || books.pictures + books.results == 0
                if fits { books.pictures += bytes }
                return (fits, books.pictures > 0)
            }
            if isTaken { return }
            if makeRoom() { continue }
            guard picturesWait else { throw JobError.tooLarge(limitBytes: limit) }
            try await freed.changed(since: version)
        }
    }

    /// A picture has become a result.
    func exchange(picture bytes: Int, forResult resultBytes: Int) {
        books.withLock { books in
            books.pictures -= bytes
            books.results += resultBytes
        }
        freed.advance()
    }

    /// A picture is given up.
    func giveBack(picture bytes: Int) {
        exchange(picture: bytes, forResult: 0)
    }

    /// Results are forgotten.
    func giveBack(results bytes: Int) {
        guard bytes > 0 else { return }
        books.withLock { $0.results -= bytes }
        freed.advance()
    }
}
