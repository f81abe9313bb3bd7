@preconcurrency import Dispatch
import Glibc

/// A listening socket: accepts connections and hands them on. Lives on the reactor.
///
/// Invariant behind `@unchecked Sendable`: made, used and cancelled on the reactor's queue only; its source's handlers,
/// which run there, are what carries it across.
final class Listener: @unchecked Sendable {
    /// What a listener tells.
    enum Event: Sendable {
        /// A connection; the descriptor belongs to the one who is told.
        case accepted(Int32, SocketAddress)
        /// No descriptors are left: the listener waits for `refuseWaiting`, then pauses for a while.
        case outOfDescriptors(Listener)
        /// No memory is left, or accepting fails for another reason that lasts; it pauses for a while.
        case exhausted
        /// The descriptor is closed.
        case closed
    }

    /// Connections taken per event; the source is level-triggered and fires again.
    private static let acceptsPerEvent = 64

    /// The address, with the port that the kernel chose.
    let address: SocketAddress
    private let descriptor: Int32
    private let file: UnixSocketFile?
    private let source: PausableSource
    private let reactor: Reactor
    private let isInherited: Bool
    private let backlog: Int32
    private let backoff: Duration
    private let accept: @Sendable (Int32) -> Socket.Acceptance
    private let onEvent: @Sendable (Event) -> Void

    /// Takes over a socket; nothing is accepted before `start`.
    /// - Parameter accept: How a connection is taken from the kernel; tests let it fail.
    init(
        _ socket: ListeningSocket, configuration: ServerConfiguration, reactor: Reactor,
        accept: @escaping @Sendable (Int32) -> Socket.Acceptance = Socket.accept,
        onEvent: @escaping @Sendable (Event) -> Void
    ) {
        descriptor = socket.descriptor
        address = socket.address
        file = socket.file
        isInherited = socket.isInherited
        backlog = configuration.listenBacklog
        self.reactor = reactor
        self.accept = accept
        self.onEvent = onEvent
        backoff = configuration.acceptBackoff
        let source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: reactor.queue)
        self.source = PausableSource(source)
        let descriptor = descriptor
        source.setEventHandler { @Sendable [weak self] in _ = self?.acceptWaiting() }
        source.setCancelHandler { @Sendable in
            Socket.close(descriptor)
            onEvent(.closed)
        }
    }

    /// Begins to accept.
    func start() {
        source.resume()
    }

    /// Takes the connections that clients have made already, before `close` would reset them. An inherited socket's are
    /// left to the process that listens on it next.
    func acceptRest() {
        guard !isInherited, source.isRunning else { return }
        for _ in 0...Int(backlog) / Self.acceptsPerEvent where !acceptWaiting() { return }
    }

    /// Stops accepting; connections that the kernel holds are reset. `Event.closed` follows. A Unix-domain socket's
    /// file is removed.
    func close() {
        file?.remove()
        source.cancel()
    }

    /// Takes the connections that wait with the one descriptor that was set free for it, and turns each away.
    /// - Returns: How many there were.
    func refuseWaiting(with response: () -> [UInt8]) -> Int {
        var count = 0
        while count < Self.acceptsPerEvent, case .accepted(let connection, _) = accept(descriptor) {
            Socket.turnAway(connection, with: response())
            count += 1
        }
        return count
    }

    /// Takes a number of connections.
    /// - Returns: Whether more may be waiting.
    private func acceptWaiting() -> Bool {
        for _ in 0..<Self.acceptsPerEvent {
            switch accept(descriptor) {
            case .accepted(let connection, let peer):
                onEvent(.accepted(connection, peer))
            case .lost:
                continue
            case .nobodyWaits:
                return false
            case .exhausted(let error):
                backOff(after: error)
                return false
            }
        }
        return true
    }

    /// The kernel would report the waiting connection again and again.
    private func backOff(after error: Int32) {
        onEvent(error == EMFILE || error == ENFILE ? .outOfDescriptors(self) : .exhausted)
        source.pause()
        reactor.run(after: backoff) { [weak self] in
            self?.source.resume()
        }
    }
}
