import CLinux
@preconcurrency import Dispatch
import Glibc

/// Hears of clients that leave while their socket isn't read: a socket that is paused tells nothing, and one that is
/// not would fire again and again for bytes that nobody has room for.
///
/// A FIN is noticed as soon as it has arrived. One behind bytes for which the socket's buffer has no room waits on the
/// client's side, and TCP lets nobody know of it.
///
/// An epoll instance of its own that asks for FIN and RST only, each once, itself watched by one Dispatch source.
/// Used on the reactor's queue only: that is the invariant behind `@unchecked Sendable`.
final class HangUpWatcher: @unchecked Sendable {
    /// What has come.
    enum HangUp: Sendable {
        /// FIN; there may be unread bytes before it.
        case finished
        /// RST, or another end of the connection in both directions.
        case broken
    }

    private let queue: DispatchQueue
    private var epoll: EpollInstance?
    private var actions: [Int32: @Sendable (HangUp) -> Void] = [:]

    /// Makes a watcher; nothing is opened before the first `watch`.
    init(queue: DispatchQueue) {
        self.queue = queue
    }

    /// Watches a socket until `unwatch`, which has to come before its descriptor is closed.
    /// - Parameters:
    ///   - finishes: Whether to hear of a FIN, too.
    ///   - action: Called on the reactor, at most once.
    /// - Returns: Whether it is watched: not if the process has no descriptor left for the epoll instance.
    func watch(_ descriptor: Int32, finishes: Bool, _ action: @escaping @Sendable (HangUp) -> Void) -> Bool {
        guard open(), let epoll, clinux_epoll_watch_hang_up(epoll.descriptor, descriptor, finishes ? 1 : 0) == 0
        else { return false }
        actions[descriptor] = action
        return true
    }

    /// Forgets a socket; what has come for it is not told any more.
    func unwatch(_ descriptor: Int32) {
        guard let epoll, actions.removeValue(forKey: descriptor) != nil else { return }
        _ = clinux_epoll_forget(epoll.descriptor, descriptor)
    }

    private func open() -> Bool {
        epoll = epoll ?? EpollInstance(queue: queue) { [weak self] in self?.drain() }
        return epoll != nil
    }

    private func drain() {
        guard let epoll else { return }
        var descriptor: Int32 = -1
        while case let kind = clinux_epoll_next_hang_up(epoll.descriptor, &descriptor), kind > 0 {
            // An action may unwatch others whose events wait behind this one; those are gone from the epoll instance
            // then.
            actions[descriptor]?(kind == 1 ? .finished : .broken)
        }
    }
}
