@preconcurrency import Dispatch
import Glibc
import HTTPWire

/// An HTTP/1.1 server on one serial queue: it accepts, reads, answers immediate routes right there, and gives every other
/// request a task of its own that is cancelled when its client leaves.
///
///     let server = HTTPServer(configuration: configuration, router: router)
///     let addresses = try await server.start()
///     …
///     await server.stop(grace: .seconds(10))
public actor HTTPServer {
    private enum Phase {
        case new
        case running
        case stopping
        case stopped
    }

    private nonisolated let context: ServerContext

    /// The reactor: the server and its connections share it.
    public nonisolated var unownedExecutor: UnownedSerialExecutor { context.reactor.asUnownedSerialExecutor() }

    private var phase = Phase.new
    private var listeners: [Listener] = []
    private var connections: [Int: Connection] = [:]
    private var connectionCount = 0
    private var stopWaiters: [CheckedContinuation<Void, Never>] = []

    /// Makes a server; nothing is opened before `start`.
    public init(
        configuration: ServerConfiguration, router: Router, observer: any ServerObserver = SilentObserver()
    ) {
        context = ServerContext(configuration: configuration, router: router, observer: observer)
    }

    /// How many connections are open, those that are about to be closed included.
    public var openConnections: Int { connections.count }

    /// Listens on all inherited sockets and configured addresses, or on none when one of them fails. Turns SIGPIPE off
    /// for the process.
    /// - Returns: The addresses, those of inherited sockets first, in the configured order, with the ports that the
    ///   kernel chose.
    /// - Throws: `ListenError`.
    public func start() throws(ListenError) -> [SocketAddress] {
        precondition(phase == .new, "a server is started once")
        signal(SIGPIPE, SIG_IGN)
        do throws(ListenError) {
            for descriptor in context.configuration.inheritedDescriptors {
                addListener(try ListeningSocket.adopt(descriptor))
            }
            for address in context.configuration.addresses {
                addListener(try ListeningSocket.open(address, context.configuration))
            }
        } catch {
            closeListeners()
            throw error
        }
        phase = .running
        listeners.forEach { $0.start() }
        return listeners.map(\.address)
    }

    /// Stops: listeners and idle connections close at once, open requests get their responses, with `Connection: close`.
    /// When the grace is over, the handlers that still run are cancelled and their connections closed. Returns when every
    /// descriptor is closed; a handler that ignores its cancellation is not waited for. A second call with less grace
    /// shortens the first one's.
    public func stop(grace: Duration) async {
        beginStopping()
        if grace > .zero {
            context.reactor.run(after: grace) { [weak self] in
                self?.assumeIsolated { $0.forceStop() }
            }
        } else {
            forceStop()
        }
        guard !connections.isEmpty else {
            phase = .stopped
            return
        }
        await withCheckedContinuation { stopWaiters.append($0) }
    }

    private func beginStopping() {
        guard phase == .new || phase == .running else { return }
        phase = .stopping
        closeListeners()
        for connection in connections.values {
            connection.assumeIsolated { $0.requestStop() }
        }
    }

    private func forceStop() {
        for connection in connections.values {
            connection.assumeIsolated { $0.forceStop() }
        }
    }

    private func addListener(_ socket: ListeningSocket) {
        listeners.append(
            Listener(socket, configuration: context.configuration, reactor: context.reactor) { [weak self] event in
                self?.assumeIsolated { $0.handle(event) }
            })
    }

    private func closeListeners() {
        listeners.forEach { $0.close() }
        listeners = []
    }

    private func handle(_ event: Listener.Event) {
        switch event {
        case .exhausted:
            context.observer.acceptExhausted()
        case .accepted(let descriptor, let address):
            connectionCount += 1
            let connection = Connection(
                id: connectionCount, descriptor: descriptor, remoteAddress: address, context: context
            ) { [weak self] id in
                self?.assumeIsolated { $0.connectionClosed(id) }
            }
            connections[connectionCount] = connection
            context.observer.connectionOpened()
            connection.assumeIsolated { $0.start() }
        }
    }

    private func connectionClosed(_ id: Int) {
        connections[id] = nil
        context.observer.connectionClosed()
        guard phase == .stopping, connections.isEmpty else { return }
        phase = .stopped
        let waiters = stopWaiters
        stopWaiters = []
        waiters.forEach { $0.resume() }
    }
}
