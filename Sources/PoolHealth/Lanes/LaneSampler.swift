import Telemetry
import Threads

/// Looks at the threads of the program's own lanes, which have told by themselves what they belong to. Used by the
/// monitor's thread only.
final class LaneSampler {
    private final class Tracked {
        let lane: Int
        let idlePlace: Range<UInt>
        let systemCall: KernelFile
        let schedule: KernelFile
        var before: ScheduleStatistics?

        /// `nil` where the kernel doesn't tell about the thread, or it has ended.
        init?(_ thread: Int32, lane: Int, idlePlace: Range<UInt>) {
            let folder = "/proc/self/task/\(thread)"
            guard let systemCall = KernelFile(folder + "/syscall"), let schedule = KernelFile(folder + "/schedstat")
            else { return nil }
            self.lane = lane
            self.idlePlace = idlePlace
            self.systemCall = systemCall
            self.schedule = schedule
        }
    }

    private let names: [String]
    private var threads: [Int32: Tracked] = [:]
    private var last: Duration?
    private var times: WorkerTimes
    /// One for each lane, in the order of their names.
    private(set) var lines: [LaneLine]

    /// - Parameter lanes: the names of those that are looked at.
    init(lanes: [String]) {
        names = lanes
        times = WorkerTimes(pools: lanes)
        lines = lanes.map(LaneLine.init)
    }

    /// One look at each of their threads.
    func sample(now: Duration) {
        guard !names.isEmpty else { return }
        follow(ThreadRoll.current)
        let elapsed = last.map { now - $0 } ?? .zero
        last = now
        lines = names.map(LaneLine.init)
        for tracked in threads.values { look(at: tracked, elapsed: elapsed) }
    }

    /// Adds what the threads spent their time with since the last call.
    func flushTimes(into metric: CounterFamily) { times.flush(into: metric) }

    private func follow(_ roll: [Int32: ThreadRoll.Crew]) {
        for (thread, tracked) in threads {
            // The number may be another thread's by now.
            if roll[thread]?.idlePlace.addresses == tracked.idlePlace { continue }
            threads[thread] = nil
        }
        for (thread, crew) in roll where threads[thread] == nil {
            guard let lane = names.firstIndex(of: crew.name) else { continue }
            threads[thread] = Tracked(thread, lane: lane, idlePlace: crew.idlePlace.addresses)
        }
    }

    private func look(at tracked: Tracked, elapsed: Duration) {
        guard let statistics = tracked.schedule.read(ScheduleStatistics.parse),
            let call = tracked.systemCall.read(SystemCall.parse)
        else { return }
        var wait = WaitKind.other
        if case .inside(let number, _, _, _) = call { wait = WaitKind(systemCall: number) }
        let isFirstLook = tracked.before == nil
        let progress = statistics.since(tracked.before ?? statistics)
        tracked.before = statistics
        let state = WorkerState.classify(call, wait: wait, isInDiskSleep: false, progress: progress) {
            tracked.idlePlace.contains($0)
        }
        lines[tracked.lane].census.add(state)
        if case .blocked(let wait) = state { lines[tracked.lane].waits[wait, default: 0] += 1 }
        times.add(state, progress, to: tracked.lane, elapsed: isFirstLook ? .zero : elapsed)
    }
}
