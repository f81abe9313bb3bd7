@preconcurrency import Dispatch
import Glibc
import Threads

/// Breaks a pool on purpose, for a limited time. Never for production: whoever offers it over a network asks first.
///
/// Each fault has a function of its own that is never inlined, so that a test knows which name to expect.
public enum Chaos {
    /// Starts a fault; returns at once. It ends by itself, all of its workers at the same time.
    public static func start(_ plan: ChaosPlan) {
        let count = plan.workers
        let pool = plan.pool
        let end = Clock.monotonic() + plan.duration
        switch plan.fault {
        case .sleep: tasks(count, pool) { chaosSleep(until: end) }
        case .lock:
            let lock = HeldLock(until: end)
            tasks(count, pool) { chaosLock(lock) }
        case .semaphore:
            let semaphore = DispatchSemaphore(value: 0)
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

/// What is left until an instant; `nil` when it has come.
private func rest(until end: Duration) -> timespec? {
    let rest = end - Clock.monotonic()
    guard rest > .zero else { return nil }
    return timespec(
        tv_sec: Int(rest.components.seconds), tv_nsec: Int(rest.components.attoseconds / 1_000_000_000))
}

@inline(never) private func chaosSleep(until end: Duration) {
    while var time = rest(until: end) { nanosleep(&time, nil) }
}

@inline(never) private func chaosLock(_ lock: HeldLock) {
    pthread_mutex_lock(lock.mutex)
    pthread_mutex_unlock(lock.mutex)
}

@inline(never) private func chaosSemaphore(_ semaphore: DispatchSemaphore, until end: Duration) {
    let rest = end - Clock.monotonic()
    let outcome = semaphore.wait(timeout: .now() + .nanoseconds(Int(max(.zero, rest).inNanoseconds)))
    keepFrame(outcome)
}

@inline(never) private func chaosRead(until end: Duration) {
    var ends: [Int32] = [0, 0]
    guard pipe(&ends) == 0 else { return }
    let writer = ends[1]
    // Ends the reading by closing the other end, from a thread that no pool has.
    let started: Void? = try? OwnThread.start(name: "chaos-read") {
        while var time = rest(until: end) { nanosleep(&time, nil) }
        close(writer)
    }
    if started == nil { close(writer) }
    var byte: UInt8 = 0
    _ = read(ends[0], &byte, 1)
    close(ends[0])
}

@inline(never) private func chaosCompute(until end: Duration) {
    while Clock.monotonic() < end {}
}

// Each in its own way: the compiler makes one function of two that are the same.

@inline(never) private func chaosDispatch(until end: Duration) {
    while var time = rest(until: end) { clock_nanosleep(CLOCK_MONOTONIC, 0, &time, nil) }
}

@inline(never) private func chaosSerial(until end: Duration) {
    while let time = rest(until: end) { poll(nil, 0, Int32(time.tv_sec * 1_000 + time.tv_nsec / 1_000_000) + 1) }
}

/// Uses a result after the call that gave it, so that the call isn't its function's last act, which would let the
/// compiler replace the function's frame by the callee's.
@inline(never) @_optimize(none) private func keepFrame(_ result: DispatchTimeoutResult) {}
