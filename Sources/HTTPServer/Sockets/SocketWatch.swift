/// A socket's place with the ``ReadinessWatcher``. Reading and writing are resumed and paused apart. Used on the
/// reactor only.
final class SocketWatch {
    /// What a socket is watched for.
    struct Directions: OptionSet {
        let rawValue: UInt8

        static let reading = Directions(rawValue: 1)
        static let writing = Directions(rawValue: 2)
    }

    let descriptor: Int32
    let token: UInt64
    private unowned let watcher: ReadinessWatcher
    private let onReadable: @Sendable () -> Void
    private let onWritable: @Sendable () -> Void
    private var wanted: Directions = []
    /// What the kernel watches for: more than is wanted from a pause until it tells of it.
    private var registered: Directions = []
    private var isCancelled = false

    init(
        watcher: ReadinessWatcher, descriptor: Int32, token: UInt64, onReadable: @escaping @Sendable () -> Void,
        onWritable: @escaping @Sendable () -> Void
    ) {
        self.watcher = watcher
        self.descriptor = descriptor
        self.token = token
        self.onReadable = onReadable
        self.onWritable = onWritable
    }

    func isRunning(_ direction: Directions) -> Bool { wanted.contains(direction) }

    /// - Returns: Whether the socket is watched for it; nothing will be heard of it otherwise.
    func resume(_ direction: Directions) -> Bool {
        guard !isCancelled else { return true }
        wanted.insert(direction)
        return registered.contains(direction) || register()
    }

    func pause(_ direction: Directions) {
        wanted.remove(direction)
    }

    /// Nothing is heard from here on. The descriptor may be closed.
    func cancel() {
        guard !isCancelled else { return }
        isCancelled = true
        wanted = []
        _ = register()
        watcher.forget(self)
    }

    /// The kernel tells that the socket is ready.
    func serve(_ ready: Directions) {
        if ready.contains(.reading), wanted.contains(.reading) { onReadable() }
        if ready.contains(.writing), wanted.contains(.writing) { onWritable() }
        // It would tell of what is paused again and again; and of errors even if it watches for nothing.
        if !isCancelled, !registered.isSubset(of: wanted) { _ = register() }
    }

    private func register() -> Bool {
        guard wanted != registered else { return true }
        guard watcher.register(self, wanted, isKnown: !registered.isEmpty) else { return false }
        registered = wanted
        return true
    }
}
