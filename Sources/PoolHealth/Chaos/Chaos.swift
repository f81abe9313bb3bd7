import CPoolHealth
@preconcurrency import Dispatch
import Glibc
import Threads

/// Breaks a pool on purpose, for a limited time. Never for production: whoever offers it over a network asks first.
///
/// Each fault has a function of its own that is never inlined, so that a test knows which name to expect.
public enum Chaos {
    /// The most workers of one fault.
    public static let maximumWorkers = 512
    /// The longest fault.
    public static let maximumDuration = Duration.seconds(60)

    /// Starts a fault; returns at once. It ends by itself.
    ///
    /// - Parameters:
    ///   - workers: tasks, blocks or queues: 1 to ``maximumWorkers``.
    ///   - pool: of which priority; ``Pool/overcommit`` counts as the default one.
    ///   - duration: how long each of them lasts, up to ``maximumDuration``. They all end at the same time.
    public static func start(_ fault: ChaosFault, workers: Int, pool: Pool, duration: Duration) {
        let count = min(max(1, workers), maximumWorkers)
        let end = Clock.monotonic() + min(max(.zero, duration), maximumDuration)
        switch fault {
        case .sleep: tasks(count, pool) { chaosSleep(until: end) }
        case .lock:
            let lock = HeldLock(until: end)
            tasks(count, pool) { chaosLock(lock) }
        case .semaphore:
            let semaphore = ThreadSemaphore()
            tasks(count, pool) { chaosSemaphore(semaphore, until: end) }
        case .read: tasks(count, pool) { chaosRead(until: end) }
        case .compute: tasks(count, pool) { chaosCompute(until: end) }
        case .dispatch:
            let queue = DispatchQueue.global(qos: quality(pool).qosClass)
            for _ in 0..<count { queue.async { chaosDispatch(until: end) } }
        case .serial:
            for index in 0..<count {
                DispatchQueue(label: "chaos.\(index)", qos: quality(pool)).async { chaosSerial(until: end) }
            }
        }
    }

    private static func tasks(_ count: Int, _ pool: Pool, _ body: @escaping @Sendable () -> Void) {
        for _ in 0..<count { Task.detached(priority: priority(pool)) { body() } }
    }

    private static func priority(_ pool: Pool) -> TaskPriority {
        switch pool {
        case .userInitiated: .userInitiated
        case .default, .overcommit: .medium
        case .utility: .utility
        case .background: .background
        }
    }

    private static func quality(_ pool: Pool) -> DispatchQoS {
        switch pool {
        case .userInitiated: .userInitiated
        case .default, .overcommit: .default
        case .utility: .utility
        case .background: .background
        }
    }
}

/// Sleeps in the kernel until an instant, as a blocking call does.
private func nap(until end: Duration) {
    while true {
        let rest = end - Clock.monotonic()
        guard rest > .zero else { return }
        var time = timespec(tv_sec: Int(rest.components.seconds), tv_nsec: Int(rest.components.attoseconds / 1_000_000_000))
        nanosleep(&time, nil)
    }
}

@inline(never) private func chaosSleep(until end: Duration) {
    nap(until: end)
    keepFrame()
}

@inline(never) private func chaosLock(_ lock: HeldLock) {
    lock.waitForIt()
    keepFrame()
}

@inline(never) private func chaosSemaphore(_ semaphore: ThreadSemaphore, until end: Duration) {
    semaphore.wait(atMost: end - Clock.monotonic())
    keepFrame()
}

@inline(never) private func chaosRead(until end: Duration) {
    var ends: [Int32] = [0, 0]
    guard pipe(&ends) == 0 else { return }
    let writer = ends[1]
    // Ends the reading by closing the other end, from a thread that no pool has.
    try? OwnThread.start(name: "chaos-read") {
        nap(until: end)
        close(writer)
    }
    var byte: UInt8 = 0
    _ = read(ends[0], &byte, 1)
    close(ends[0])
}

@inline(never) private func chaosCompute(until end: Duration) {
    while Clock.monotonic() < end {}
}

@inline(never) private func chaosDispatch(until end: Duration) {
    nap(until: end)
    keepFrame()
}

@inline(never) private func chaosSerial(until end: Duration) {
    nap(until: end)
    keepFrame()
}

/// After a call, so that it isn't the function's last and its frame stays.
@inline(never) @_optimize(none) private func keepFrame() {}
