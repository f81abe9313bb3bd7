@preconcurrency import Dispatch
import Scheduling
import Threads

/// A loop that waits at a semaphore of four before it sends each block to a concurrent queue; the results lie in a
/// dictionary that a barrier protects.
///
/// Cancelling is a flag that the loop and each block look at when they begin. `DispatchWorkItem.cancel()` would not do:
/// a block that never runs never signals the semaphore, and the loop would wait for ever.
final class SemaphoreAndBarrier: Way {
    /// The dictionary. `@unchecked Sendable`: it is changed by barrier blocks and read by `sync` ones, on one queue.
    private final class Vectors: @unchecked Sendable {
        private let queue = DispatchQueue(label: "vectors", attributes: .concurrent)
        private var values: [Int: [Float]] = [:]

        var count: Int { queue.sync { values.count } }

        func set(_ vector: [Float], at index: Int) {
            queue.async(flags: .barrier) { [self] in values[index] = vector }
        }
    }

    private let work: PhotoWork
    private let queue = DispatchQueue(label: "photos", attributes: .concurrent)
    private let group = DispatchGroup()
    private let places = DispatchSemaphore(value: placesOfUsualCode)
    private let vectors = Vectors()
    private let cancellation = CancellationFlag()

    init(_ work: PhotoWork) {
        self.work = work
    }

    var results: Int { vectors.count }

    func start(_ photos: PhotoSet, _ tally: Tally) {
        group.enter()
        startThread(name: "photo-loop") { [work, queue, group, places, vectors, cancellation] in
            defer { group.leave() }
            for index in 0..<photos.count where !cancellation.isCancelled {
                places.wait()
                queue.async(group: group) {
                    defer { places.signal() }
                    guard !cancellation.isCancelled else { return }
                    vectors.set(work.vector(of: photos[index]), at: index)
                    tally.add()
                }
            }
        }
    }

    func cancel() {
        cancellation.cancel()
    }

    func wait() {
        group.wait()
    }
}
