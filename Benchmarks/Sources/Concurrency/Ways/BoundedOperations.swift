import Foundation
import Threads

/// An operation for each photo, in a queue that runs four at a time.
///
/// Cancelling is `cancelAllOperations()`: an operation that has not begun never does; one that runs is not told by
/// anybody, since the blocking call inside it doesn't ask.
final class BoundedOperations: Way {
    private let work: PhotoWork
    private let queue = OperationQueue()
    private let vectors = Locked<[Int: [Float]]>([:])

    init(_ work: PhotoWork) {
        self.work = work
        queue.maxConcurrentOperationCount = placesOfUsualCode
    }

    var results: Int { vectors.withLock { $0.count } }

    func start(_ photos: PhotoSet, _ tally: Tally) {
        for index in 0..<photos.count {
            queue.addOperation { [work, vectors] in
                let vector = work.vector(of: photos[index])
                vectors.withLock { $0[index] = vector }
                tally.add()
            }
        }
    }

    func cancel() {
        queue.cancelAllOperations()
    }

    func wait() {
        queue.waitUntilAllOperationsAreFinished()
    }
}
