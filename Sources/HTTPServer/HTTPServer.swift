@preconcurrency import Dispatch
import Glibc
import HTTPWire

/// An HTTP/1.1 server on one serial queue: it accepts, reads, answers immediate routes right there, and gives every
/// other request a task of its own that is cancelled when its client leaves.
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

    /// Connections that are being turned away at a time, each with a descriptor; below the default `descriptorReserve`.
    private static let turnedAwayLimit = 32

    private nonisolated let context: ServerContext

    /// The reactor: the server and its connections share it.
    public nonisolated var unownedExecutor: UnownedSerialExecutor { context.reactor.asUnownedSerialExecutor() }

    private var phase = Phase.new
    private var listeners: [Listener] = []
    /// Listeners whose descriptor isn't closed yet.
    private var openListeners = 0
    private var connections: [Int: Connection] = [:]
    private var connectionCount = 0
    /// Connections that were told that there is no room, and are on their way out.
    private var turnedAway: Set<Int> = []
    private let connectionLimit: Int
    private let reserve = ReserveDescriptor()
    private let accept: @Sendable (Int32) -> Socket.Acceptance
    private var stopWaiters: [CheckedContinuation<Void, Never>] = []

    /// Makes a server; nothing is opened before `start`.
    public init(
        configuration: ServerConfiguration, router: Router, observer: any ServerObserver = SilentObserver()
    ) {
        self.init(configuration: configuration, router: router, observer: observer, accept: Socket.accept)
    }

    /// - Parameter accept: How a connection is taken from the kernel; tests let it fail.
    init(
        configuration: ServerConfiguration, router: Router, observer: any ServerObserver,
        accept: @escaping @Sendable (Int32) -> Socket.Acceptance
    ) {
        context = ServerContext(configuration: configuration, router: router, observer: observer)
        connectionLimit = ConnectionLimit.effective(
            configured: configuration.connectionLimit, reserve: configuration.descriptorReserve)
        self.accept = accept
    }

    /// How many connections are open, those that are about to be closed included.
    public var openConnections: Int { connections.count }

    /// How many bytes of request bodies are held, as `ServerConfiguration.bodyBudgetBytes` counts them.
    public nonisolated var bodyBytesHeld: Int { context.bodyBudget.total }

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
            // Now, since a client that is accepted while there is no descriptor for it could not be served.
            if let first = listeners.first, !context.reactor.readiness.open() {
                throw ListenError(first.address, "epoll_create1", errorNumber: errno)
            }
        } catch {
            closeListeners()
            throw error
        }
        phase = .running
        listeners.forEach { $0.start() }
        return listeners.map(\.address)
    }

    /// Stops: listeners and idle connections close at once, open requests get their responses, with `Connection:
    /// close`. A request that has begun to arrive counts as open, and a connection that was only just made has
    /// `TimeLimits.firstByteWhenStopping` to begin one.
    /// When the grace is over, the handlers that still run are cancelled and their connections closed. Returns when
    /// every connection and listener is closed; a handler that ignores its cancellation is not waited for. A second
    /// call with less grace shortens the first one's.
    public func stop(grace: Duration) async {
        beginStopping()
        if grace > .zero {
            context.reactor.run(after: grace) { [weak self] in
                self?.assumeIsolated { $0.forceStop() }
            }
        } else {
            forceStop()
        }
        finishStopping()
        guard phase != .stopped else { return }
        await withCheckedContinuation { stopWaiters.append($0) }
    }

    private func beginStopping() {
        guard phase == .new || phase == .running else { return }
        phase = .stopping
        listeners.forEach { $0.acceptRest() }
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
        openListeners += 1
        listeners.append(
            Listener(
                socket, configuration: context.configuration, reactor: context.reactor, accept: accept
            ) { [weak self] event in
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
        case .outOfDescriptors(let listener):
            context.observer.acceptExhausted()
            reserve.lend {
                let refused = listener.refuseWaiting(with: context.turnAwayResponse)
                for _ in 0..<refused {
                    context.observer.connectionRefused(.descriptors)
                }
            }
        case .accepted(let descriptor, let address):
            take(descriptor, from: address)
        case .closed:
            openListeners -= 1
            finishStopping()
        }
    }

    private func take(_ descriptor: Int32, from address: SocketAddress) {
        guard connections.count - turnedAway.count < connectionLimit else {
            return turnAway(descriptor, from: address)
        }
        context.observer.connectionOpened()
        open(descriptor, from: address).assumeIsolated { $0.start() }
    }

    /// A connection more than are served: it stays until it has its answer, unless there are too many such.
    private func turnAway(_ descriptor: Int32, from address: SocketAddress) {
        context.observer.connectionRefused(.limit)
        guard turnedAway.count < Self.turnedAwayLimit else {
            return Socket.turnAway(descriptor, with: context.turnAwayResponse())
        }
        let connection = open(descriptor, from: address)
        turnedAway.insert(connection.id)
        connection.assumeIsolated { $0.turnAway() }
    }

    private func open(_ descriptor: Int32, from address: SocketAddress) -> Connection {
        connectionCount += 1
        let connection = Connection(
            id: connectionCount, descriptor: descriptor, remoteAddress: address, context: context
        ) { [weak self] id in
            self?.assumeIsolated { $0.connectionClosed(id) }
        }
        connections[connectionCount] = connection
        return connection
    }

    private func connectionClosed(_ id: Int) {
        connections[id] = nil
        if turnedAway.remove(id) == nil {
            context.observer.connectionClosed()
        }
        finishStopping()
    }

    /// Ends the stop once every descriptor is closed.
    private func finishStopping() {
        guard phase == .stopping, connections.isEmpty, openListeners == 0 else { return }
        phase = .stopped
        let waiters = stopWaiters
        stopWaiters = []
        waiters.forEach { $0.resume() }
    }
}
