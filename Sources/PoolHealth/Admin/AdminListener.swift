import CLinux
import CPoolHealth
import Glibc
import Synchronization
import Threads

/// A small HTTP server on threads of its own, for what has to be answered while nothing else is: metrics, health, the
/// state of the pools. Neither Dispatch nor Swift's pool takes any part in it.
///
/// GET, HEAD and POST without a body; one request a connection. Each thread waits with poll(2) for the listening socket
/// and for its own clients, so a slow client delays nobody; a slow route delays the clients of its thread.
public final class AdminListener: Sendable {
    /// Its threads.
    public static let threadCount = 2
    /// Clients at a time, of each thread; more wait in the kernel's queue.
    public static let connectionsPerThread = 32

    private static let backlog: Int32 = 64
    /// So long it accepts nobody after the process had no descriptor left.
    private static let pauseWithoutDescriptors = Duration.milliseconds(100)

    /// The port, also if the system chose it.
    public let port: Int

    private let listener: Int32
    private let wakeUp: Int32
    private let routes: [AdminRoute]
    private let isStopping = Atomic<Bool>(false)

    /// Listens and starts the threads.
    ///
    /// - Parameters:
    ///   - host: an IPv4 or IPv6 address of this machine. What it serves tells much: leave it on loopback, or in a
    ///     network of your own.
    ///   - port: 0 lets the system choose.
    ///   - routes: the first one that fits a request answers it.
    /// - Throws: ``PoolHealthError`` if the address is none or taken, or the system gives no thread or descriptor.
    public init(host: String = "127.0.0.1", port: Int, routes: [AdminRoute]) throws(PoolHealthError) {
        self.routes = routes
        let opened = try AdminSocket.listen(host: host, port: port, backlog: Self.backlog)
        listener = opened.descriptor
        self.port = opened.port
        wakeUp = cpoolhealth_event_descriptor()
        guard wakeUp >= 0 else { throw .noDescriptor(code: errno) }
        do {
            for index in 0..<Self.threadCount {
                try OwnThread.start(name: "admin-\(index)") { self.work() }
            }
        } catch {
            stop()
            throw .noThread(error)
        }
    }

    deinit {
        if listener >= 0 { close(listener) }
        if wakeUp >= 0 { close(wakeUp) }
    }

    /// Drops all clients and ends the threads; the socket is closed when both have ended and nobody holds the listener.
    public func stop() {
        isStopping.store(true, ordering: .releasing)
        var one: UInt64 = 1
        // Never read, so it stays readable for every thread.
        _ = write(wakeUp, &one, MemoryLayout<UInt64>.size)
    }

    private func work() {
        var connections: [AdminConnection] = []
        var acceptsFrom = Duration.zero
        var polled: [pollfd] = []
        while !isStopping.load(ordering: .acquiring) {
            let now = Clock.monotonic()
            let accepts = connections.count < Self.connectionsPerThread && now >= acceptsFrom
            polled.removeAll(keepingCapacity: true)
            polled.append(pollfd(fd: wakeUp, events: Int16(POLLIN), revents: 0))
            polled.append(pollfd(fd: accepts ? listener : -1, events: Int16(POLLIN), revents: 0))
            for connection in connections {
                polled.append(pollfd(fd: connection.descriptor, events: connection.events, revents: 0))
            }
            let deadlines = connections.map(\.deadline) + (acceptsFrom > now ? [acceptsFrom] : [])
            poll(&polled, nfds_t(polled.count), Self.timeout(until: deadlines.min(), now: now))

            let after = Clock.monotonic()
            var kept: [AdminConnection] = []
            for (connection, entry) in zip(connections, polled.dropFirst(2)) {
                let goesOn = entry.revents == 0 || connection.proceed()
                if goesOn, connection.deadline > after { kept.append(connection) }
            }
            connections = kept
            if polled[1].revents != 0, !accept(into: &connections) {
                acceptsFrom = after + Self.pauseWithoutDescriptors
            }
        }
    }

    /// In milliseconds, as poll(2) takes it; -1 waits for ever.
    private static func timeout(until deadline: Duration?, now: Duration) -> Int32 {
        guard let deadline else { return -1 }
        let milliseconds = max(.zero, deadline - now) / .milliseconds(1)
        return Int32(milliseconds.rounded(.up))
    }

    /// Takes one client: another thread may take the next. `false` if the process has no descriptor left.
    private func accept(into connections: inout [AdminConnection]) -> Bool {
        let descriptor = clinux_accept4(
            listener, nil, nil, Int32(SOCK_NONBLOCK.rawValue) | Int32(SOCK_CLOEXEC.rawValue))
        guard descriptor >= 0 else { return errno != EMFILE && errno != ENFILE && errno != ENOMEM }
        let connection = AdminConnection(descriptor: descriptor, routes: routes)
        // The request is often there already.
        if connection.proceed() { connections.append(connection) }
        return true
    }
}
