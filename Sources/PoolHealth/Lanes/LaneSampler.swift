import Telemetry
import Threads

/// Looks at the threads of the program's own lanes, which have told by themselves what they belong to. Used by the
/// monitor's thread only.
final class LaneSampler {
    /// Threads that are looked at, with a descriptor each, which are the server's to spend. A program with more of them
    /// is told of in part.
    private static let maximumThreads = 128

    private final class Tracked {
        let lane: Int
        let idlePlace: Range<UInt>
        let schedule: KernelFile
        var before: ScheduleStatistics?
        var state: WorkerState?

        /// `nil` where the kernel doesn't tell about the thread, or it has ended.
        init?(_ thread: Int32, lane: Int, idlePlace: Range<UInt>) {
            guard let schedule = KernelFile("/proc/self/task/\(thread)/schedstat") else { return nil }
            self.lane = lane
            self.idlePlace = idlePlace
            self.schedule = schedule
        }
    }

    private let names: [String]
    private var threads: [Int32: Tracked] = [:]
    private var last: Duration?
    /// One for each lane, in the order of their names.
    private var times: [LaneTimes]
    /// One for each lane, in the order of their names.
    private(set) var lines: [LaneLine]

    /// - Parameter lanes: the names of those that are looked at.
    init(lanes: [String]) {
        names = lanes
        times = lanes.map { _ in LaneTimes() }
        lines = lanes.map(LaneLine.init)
    }

    /// One look at each of their threads.
    func sample(now: Duration) {
        guard !names.isEmpty else { return }
        follow(ThreadRoll.current)
        let elapsed = last.map { now - $0 } ?? .zero
        last = now
        lines = names.map(LaneLine.init)
        for (thread, tracked) in threads { look(at: thread, tracked, elapsed: elapsed) }
    }

    /// Adds what the threads spent their time with since the last call.
    func flushTimes(into metric: CounterFamily) {
        for (index, name) in names.enumerated() { times[index].flush(into: metric, of: name) }
    }

    private func follow(_ roll: [Int32: ThreadRoll.Crew]) {
        for (thread, tracked) in threads {
            // The number may be another thread's by now.
            if roll[thread]?.idlePlace.addresses == tracked.idlePlace { continue }
            threads[thread] = nil
        }
        for (thread, crew) in roll where threads[thread] == nil && threads.count < Self.maximumThreads {
            guard let lane = names.firstIndex(of: crew.name) else { continue }
            threads[thread] = Tracked(thread, lane: lane, idlePlace: crew.idlePlace.addresses)
        }
    }

    private func look(at thread: Int32, _ tracked: Tracked, elapsed: Duration) {
        guard let statistics = tracked.schedule.read(ScheduleStatistics.parse) else { return }
        let isFirstLook = tracked.before == nil
        let progress = statistics.since(tracked.before ?? statistics)
        tracked.before = statistics
        // One that was asleep and has not run since is still where it was.
        if tracked.state.map({ !$0.isAsleep }) ?? true || progress.timeslices > 0 {
            tracked.state = state(of: thread, tracked.idlePlace, progress)
        }
        guard let state = tracked.state else { return }
        lines[tracked.lane].census.add(state)
        if case .blocked(let wait) = state { lines[tracked.lane].waits[wait, default: 0] += 1 }
        times[tracked.lane].add(state, progress, elapsed: isFirstLook ? .zero : elapsed)
    }

    private func state(
        of thread: Int32, _ idlePlace: Range<UInt>, _ progress: ScheduleStatistics
    ) -> WorkerState? {
        guard let call = KernelFile("/proc/self/task/\(thread)/syscall")?.read(SystemCall.parse) else { return nil }
        var wait = WaitKind.other
        if case .inside(let number, _, _, _) = call { wait = WaitKind(systemCall: number) }
        return WorkerState.classify(call, wait: wait, isInDiskSleep: false, progress: progress) {
            idlePlace.contains($0)
        }
    }
}
