@preconcurrency import Dispatch

/// A probe for each lane and priority.
struct ProbeSet: Sendable {
    /// So long a timer is set for.
    private static let timerDelay = Duration.milliseconds(10)

    let probes: [Probe]

    init() {
        probes = Pool.ofTasks.flatMap { priority in
            let quality = Self.quality(priority)
            let serial = DispatchQueue(label: "pool-health.serial." + priority.rawValue, qos: quality)
            let timers = DispatchQueue(label: "pool-health.timer." + priority.rawValue, qos: quality)
            let taskPriority = Self.taskPriority(priority)
            return [
                Probe(lane: .task, priority: priority) { probe in
                    Task.detached(priority: taskPriority) { probe.answer() }
                },
                Probe(lane: .gcdGlobal, priority: priority) { probe in
                    DispatchQueue.global(qos: quality.qosClass).async { probe.answer() }
                },
                Probe(lane: .gcdSerial, priority: priority) { probe in
                    serial.async { probe.answer() }
                },
                Probe(lane: .timer, priority: priority, delay: Self.timerDelay) { probe in
                    timers.asyncAfter(deadline: .now() + .nanoseconds(Int(Self.timerDelay.inNanoseconds))) {
                        probe.answer()
                    }
                },
            ]
        }
    }

    private static func taskPriority(_ pool: Pool) -> TaskPriority {
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
