import Threads

/// What the images of a group share: once one of them was let in, none of the others is refused.
final class AdmissionPass: Sendable {
    private let granted = Locked(false)

    /// Whether one of them was let in.
    var isGranted: Bool { granted.withLock { $0 } }

    /// One of them was let in.
    func grant() {
        granted.withLock { $0 = true }
    }
}
