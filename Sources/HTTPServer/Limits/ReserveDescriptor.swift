import Glibc

/// One descriptor kept back, so that a process which has no other left can still accept a connection and turn it away.
/// Used on the reactor only.
final class ReserveDescriptor {
    private var descriptor: Int32 = -1

    /// Opens the reserve.
    init() {
        take()
    }

    deinit {
        free()
    }

    /// Gives the descriptor to `work`, if there is one, and takes it back.
    func lend(_ work: () -> Void) {
        if descriptor >= 0 {
            free()
            work()
        }
        take()
    }

    private func take() {
        descriptor = open("/dev/null", O_RDONLY | O_CLOEXEC)
    }

    private func free() {
        guard descriptor >= 0 else { return }
        close(descriptor)
        descriptor = -1
    }
}
