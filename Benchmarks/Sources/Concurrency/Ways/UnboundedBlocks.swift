@preconcurrency import Dispatch
import Threads

/// A block for each photo, all at once, on a concurrent queue.
///
/// Cancelling is what Dispatch offers: `DispatchWorkItem.cancel()`. It keeps a block from starting, and does nothing to
/// one that runs.
final class UnboundedBlocks: Way {
    private let work: PhotoWork
    private let queue = DispatchQueue(label: "photos", attributes: .concurrent)
    private let group = DispatchGroup()
    private let vectors = Locked<[Int: [Float]]>([:])
    private var items: [DispatchWorkItem] = []

    init(_ work: PhotoWork) {
        self.work = work
    }

    var results: Int { vectors.withLock { $0.count } }

    func start(_ photos: PhotoSet, _ tally: Tally) {
        for index in 0..<photos.count {
            let item = DispatchWorkItem { [work, vectors] in
                let vector = work.vector(of: photos[index])
                vectors.withLock { $0[index] = vector }
                tally.add()
            }
            items.append(item)
            queue.async(group: group, execute: item)
        }
    }

    func cancel() {
        items.forEach { $0.cancel() }
    }

    func wait() {
        group.wait()
    }
}
