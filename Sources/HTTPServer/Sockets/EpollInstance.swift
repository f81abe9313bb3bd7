import CLinux
@preconcurrency import Dispatch

/// An epoll instance, watched by one Dispatch source for as long as it lives.
final class EpollInstance {
    let descriptor: Int32
    private let source: any DispatchSourceRead

    /// Makes one; nil if the process has no descriptor left, `errno` tells.
    /// - Parameter onReady: Called on the queue for as long as there are events to take.
    init?(queue: DispatchQueue, onReady: @escaping @Sendable () -> Void) {
        let descriptor = clinux_epoll_create()
        guard descriptor >= 0 else { return nil }
        self.descriptor = descriptor
        source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: queue)
        source.setEventHandler(handler: onReady)
        source.setCancelHandler { @Sendable in Socket.close(descriptor) }
        source.resume()
    }

    deinit {
        source.cancel()
    }
}
