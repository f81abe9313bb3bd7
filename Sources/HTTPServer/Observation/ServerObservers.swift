/// Several observers as one; each hears everything, in order.
public struct ServerObservers: ServerObserver {
    private let observers: [any ServerObserver]

    /// Makes one of several.
    public init(_ observers: [any ServerObserver]) {
        self.observers = observers
    }

    /// Passes it on.
    public func connectionOpened() {
        observers.forEach { $0.connectionOpened() }
    }

    /// Passes it on.
    public func connectionClosed() {
        observers.forEach { $0.connectionClosed() }
    }

    /// Passes it on.
    public func acceptExhausted() {
        observers.forEach { $0.acceptExhausted() }
    }

    /// Passes it on.
    public func connectionRefused(_ reason: RefusalReason) {
        observers.forEach { $0.connectionRefused(reason) }
    }

    /// Passes it on.
    public func clientDisconnected(_ phase: DisconnectPhase) {
        observers.forEach { $0.clientDisconnected(phase) }
    }

    /// Passes it on.
    public func timedOut(_ kind: TimeoutKind) {
        observers.forEach { $0.timedOut(kind) }
    }

    /// Passes it on.
    public func inputRefused(slug: String) {
        observers.forEach { $0.inputRefused(slug: slug) }
    }

    /// Passes it on.
    public func requestStarted(route: String) {
        observers.forEach { $0.requestStarted(route: route) }
    }

    /// Passes it on.
    public func requestFinished(_ record: RequestRecord) {
        observers.forEach { $0.requestFinished(record) }
    }

    /// Passes it on.
    public func bytesReceived(_ count: Int) {
        observers.forEach { $0.bytesReceived(count) }
    }

    /// Passes it on.
    public func bytesSent(_ count: Int) {
        observers.forEach { $0.bytesSent(count) }
    }
}
