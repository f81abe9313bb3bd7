import CLinux
@preconcurrency import Dispatch

/// Tells when sockets can be read and written: an epoll instance of the reactor's own, itself watched by one Dispatch
/// source.
///
/// Not a source for each socket. Dispatch takes a source apart on the queue of its handlers, while its manager's thread
/// may still be handing out another event of the same socket or of the same batch; sources that come and go with
/// clients crashed the process once in some 300,000 connections (Swift 6.3.1; swift-corelibs-libdispatch issue 949).
///
/// Used on the reactor's queue only, but for the end of its life: that is the invariant behind `@unchecked Sendable`.
final class ReadinessWatcher: @unchecked Sendable {
    /// So many sockets are served in one turn of the reactor; what is left makes the source fire again.
    private static let socketsPerTurn = 16

    private let queue: DispatchQueue
    private var epoll: EpollInstance?
    /// By their tokens, which are never used again: a descriptor's number may be another socket's within a turn.
    private var watches: [UInt64: SocketWatch] = [:]
    private var lastToken: UInt64 = 0
    private var ready = [clinux_readiness](repeating: clinux_readiness(), count: socketsPerTurn)

    /// Makes a watcher; nothing is opened before `open` or the first socket.
    init(queue: DispatchQueue) {
        self.queue = queue
    }

    /// Takes a socket on, paused in both directions. The handlers are kept until it is cancelled, which has to come
    /// before its descriptor is closed.
    /// - Parameters:
    ///   - onReadable: Called on the reactor for as long as there are bytes, an end or an error.
    ///   - onWritable: Called on the reactor for as long as there is room, or an error.
    func watch(
        _ descriptor: Int32, onReadable: @escaping @Sendable () -> Void, onWritable: @escaping @Sendable () -> Void
    ) -> SocketWatch {
        lastToken += 1
        let watch = SocketWatch(
            watcher: self, descriptor: descriptor, token: lastToken, onReadable: onReadable, onWritable: onWritable)
        watches[lastToken] = watch
        return watch
    }

    /// Has the kernel watch a socket for these directions.
    /// - Returns: Whether it does: not where the system has no descriptor or memory left for it.
    func register(_ watch: SocketWatch, _ directions: SocketWatch.Directions, isKnown: Bool) -> Bool {
        guard open(), let epoll else { return false }
        if directions.isEmpty { return clinux_epoll_forget(epoll.descriptor, watch.descriptor) == 0 }
        return clinux_epoll_watch(
            epoll.descriptor, watch.descriptor, watch.token, directions.contains(.reading) ? 1 : 0,
            directions.contains(.writing) ? 1 : 0, isKnown ? 1 : 0) == 0
    }

    func forget(_ watch: SocketWatch) {
        watches[watch.token] = nil
    }

    /// Makes the epoll instance, once.
    /// - Returns: Whether there is one: not while the process has no descriptor left; `errno` tells.
    func open() -> Bool {
        epoll = epoll ?? EpollInstance(queue: queue) { [weak self] in self?.serve() }
        return epoll != nil
    }

    private func serve() {
        guard let epoll else { return }
        let count = clinux_epoll_ready(epoll.descriptor, &ready, Int32(ready.count))
        guard count > 0 else { return }
        for event in ready[..<Int(count)] {
            var directions: SocketWatch.Directions = []
            if event.reads != 0 { directions.insert(.reading) }
            if event.writes != 0 { directions.insert(.writing) }
            // One that was served before may have cancelled this one.
            watches[event.token]?.serve(directions)
        }
    }
}
