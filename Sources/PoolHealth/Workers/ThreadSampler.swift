import CLinux
import CPoolHealth
import Glibc

/// Looks at the process's threads through `/proc`: which serve which root queue of Dispatch, and what they are doing.
/// Used by the monitor's thread only.
final class ThreadSampler {
    /// Threads of each root queue that are looked at in each tick, with two descriptors each: as many as can run tasks
    /// at a time and some more. Beyond that they are only counted: of a root queue that has exploded, some tell enough,
    /// and the descriptors belong to the server.
    private let maximumSampled: Int
    private static let sampledBeyondWidth = 8
    /// Descriptors that the process has to be allowed for each of them: two for a thread of each of eight root queues,
    /// four times, so that sampling takes a quarter of them at most.
    private static let descriptorsPerSampled = 2 * 8 * 4
    /// Addresses kept for each root queue while the parking places are being learned.
    private static let maximumSeen = 8

    private enum Role {
        case unknown
        case worker(RootQueue)
        case other
    }

    private final class Tracked {
        let number: Int32
        var role = Role.unknown
        var systemCall: KernelFile?
        var schedule: KernelFile?
        var before: ScheduleStatistics?
        var state = WorkerState.running
        /// Whether its files have no content any more. Its number may be another thread's by now.
        var hasEnded = false

        init(number: Int32) {
            self.number = number
        }

        var root: RootQueue? {
            if case .worker(let root) = role { root } else { nil }
        }
    }

    private let directory: Int32
    private let roots: DispatchRoots
    private let stacks: StackReader
    private let mainThread: Int32
    private var threads: [Tracked] = []
    private var buffer = [Int32](repeating: 0, count: 4_096)
    private var listedCount = -1
    private var listed: [Int32] = []
    /// Whether a thread seems to have ended, whose place another one may have taken in the count.
    private var hasLostThread = false
    /// Futexes that workers slept on, until the parking places are known.
    private var seen: [RootQueue: Set<UInt>] = [:]
    private(set) var parking: ParkingPlaces?

    /// Threads of which it isn't known whether they serve a root queue: ``newcomers``, and those that can't be looked
    /// at for want of a descriptor.
    private(set) var unidentified = 0
    /// Threads that have been running at every look so far, so that their stacks couldn't be read.
    private(set) var newcomers = 0
    /// Threads of each root queue, by its index, of which the last look has no sample: there are too many, or there is
    /// no descriptor.
    private(set) var unseenPerRoot = [Int](repeating: 0, count: RootQueue.all.count)
    /// Threads of each root queue, by its index.
    private(set) var threadsPerRoot = [Int](repeating: 0, count: RootQueue.all.count)
    /// Threads that each root queue has got since the start, by its index.
    private(set) var createdPerRoot = [Int](repeating: 0, count: RootQueue.all.count)

    /// - Parameter width: how many tasks of one priority can run at a time.
    /// - Returns: `nil` where there is no `/proc`, or Dispatch's root queues can't be told apart.
    init?(stacks: StackReader, width: Int) {
        guard let roots = DispatchRoots.find() else { return nil }
        directory = open("/proc/self/task", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard directory >= 0 else { return nil }
        self.roots = roots
        self.stacks = stacks
        mainThread = getpid()
        var limit = rlimit()
        getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        let affordable = Int(clamping: limit.rlim_cur) / Self.descriptorsPerSampled
        maximumSampled = max(2, min(width + Self.sampledBeyondWidth, affordable))
    }

    deinit {
        if directory >= 0 { close(directory) }
    }

    /// Notes that a thread has just answered a probe on a root queue, which is proof.
    func witness(thread: Int32, of root: RootQueue) {
        guard let tracked = tracked(thread), tracked.root != root else { return }
        assign(root, to: tracked)
    }

    /// One look at every worker, into `samples`, which keeps its memory.
    ///
    /// - Parameter relists: whether the list of threads is read even if nothing speaks for it.
    func sample(into samples: inout [ThreadSample], relists: Bool) {
        samples.removeAll(keepingCapacity: true)
        list(anyway: relists)
        var sampled = [Int](repeating: 0, count: RootQueue.all.count)
        for index in unseenPerRoot.indices { unseenPerRoot[index] = 0 }
        unidentified = 0
        newcomers = 0
        for tracked in threads {
            if case .unknown = tracked.role { identify(tracked) }
            guard let root = tracked.root else { continue }
            let sample = sampled[root.index] < maximumSampled ? look(at: tracked, root) : nil
            if let sample {
                sampled[root.index] += 1
                samples.append(sample)
            } else if tracked.hasEnded {
                hasLostThread = true
            } else {
                unseenPerRoot[root.index] += 1
            }
        }
        guard parking == nil, let places = ParkingPlaces(seen: seen) else { return }
        parking = places
        // What was a guess until now is looked at again.
        for tracked in threads { tracked.state = .running }
    }

    /// The stack of a worker that is asleep.
    func stack(of thread: Int32) -> RawStack? {
        guard let tracked = tracked(thread), let call = tracked.systemCall, let schedule = tracked.schedule else {
            return nil
        }
        return stacks.read(thread: thread, systemCall: call, schedule: schedule)
    }

    private func tracked(_ thread: Int32) -> Tracked? { threads.first { $0.number == thread } }

    /// Threads come and go seldom, and the list costs as much as all looks of a tick: it is read when their number
    /// changes, when one has ended, and now and then.
    private func list(anyway: Bool) {
        let count = Int(cpoolhealth_subdirectories(directory))
        guard anyway || count != listedCount || hasLostThread else { return }
        listedCount = count
        let found = min(Int(cpoolhealth_list_numbers(directory, &buffer, Int32(buffer.count))), buffer.count)
        guard found > 0, hasLostThread || !buffer[..<found].elementsEqual(listed) else { return }
        hasLostThread = false
        listed = Array(buffer[..<found])
        let present = Set(listed)
        threads.removeAll { tracked in
            guard tracked.hasEnded || !present.contains(tracked.number) else { return false }
            if let root = tracked.root { threadsPerRoot[root.index] -= 1 }
            return true
        }
        let known = Set(threads.map(\.number))
        for thread in listed where !known.contains(thread) {
            let tracked = Tracked(number: thread)
            if thread == mainThread { tracked.role = .other }
            threads.append(tracked)
        }
    }

    private func openFiles(_ tracked: Tracked) {
        if tracked.systemCall == nil { tracked.systemCall = KernelFile("/proc/self/task/\(tracked.number)/syscall") }
        if tracked.schedule == nil { tracked.schedule = KernelFile("/proc/self/task/\(tracked.number)/schedstat") }
    }

    /// A thread's root queue never changes, so its stack is looked at once, as soon as it sleeps.
    private func identify(_ tracked: Tracked) {
        guard let file = tracked.systemCall ?? KernelFile("/proc/self/task/\(tracked.number)/syscall"),
            let call = file.read(SystemCall.parse)
        else {
            unidentified += 1
            // Or there is no descriptor; the list tells.
            hasLostThread = true
            return
        }
        guard let context = call.context else {
            unidentified += 1
            newcomers += 1
            return
        }
        let root = stacks.withStack(from: context.stackPointer) { words in
            roots.root(ofStack: words, isCode: stacks.isCode)
        }
        guard let root else {
            tracked.role = .other
            return
        }
        tracked.systemCall = file
        assign(root, to: tracked)
    }

    private func assign(_ root: RootQueue, to tracked: Tracked) {
        if let former = tracked.root { threadsPerRoot[former.index] -= 1 }
        tracked.role = .worker(root)
        threadsPerRoot[root.index] += 1
        createdPerRoot[root.index] += 1
    }

    private func look(at tracked: Tracked, _ root: RootQueue) -> ThreadSample? {
        openFiles(tracked)
        guard let schedule = tracked.schedule else { return nil }
        guard let statistics = schedule.read(ScheduleStatistics.parse) else {
            tracked.hasEnded = true
            return nil
        }
        // The first look has nothing to compare with: as if it had moved.
        let progress =
            tracked.before.map(statistics.since)
            ?? ScheduleStatistics(cpuNanoseconds: 1, waitNanoseconds: 0, timeslices: 1)
        tracked.before = statistics
        // A thread that has not run is still asleep where it was: most are, and their system call costs most to read.
        if progress.timeslices > 0 || progress.cpuNanoseconds > 0 || !tracked.state.isAsleep {
            guard let state = state(of: tracked, root, progress) else { return nil }
            tracked.state = state
        }
        return ThreadSample(thread: tracked.number, root: root, state: tracked.state, progress: progress)
    }

    private func state(of tracked: Tracked, _ root: RootQueue, _ progress: ScheduleStatistics) -> WorkerState? {
        guard let call = tracked.systemCall?.read(SystemCall.parse) else { return nil }
        var wait = WaitKind.other
        var isInDiskSleep = false
        if case .inside(let number, let address, _, _) = call {
            wait = WaitKind(systemCall: number)
            if wait == .futex { learn(address, root) }
            isInDiskSleep = wait != .futex && wait != .sleep && sleepsOnDisk(tracked.number)
        } else if case .outside = call {
            isInDiskSleep = sleepsOnDisk(tracked.number)
        }
        return WorkerState.classify(call, wait: wait, isInDiskSleep: isInDiskSleep, progress: progress) {
            isParkingPlace($0, of: root)
        }
    }

    private func sleepsOnDisk(_ thread: Int32) -> Bool {
        KernelFile("/proc/self/task/\(thread)/stat")?.read(ThreadStatus.state(stat:)) == UInt8(ascii: "D")
    }

    private func learn(_ address: UInt, _ root: RootQueue) {
        guard parking == nil, isBesideRoots(address), seen[root, default: []].count < Self.maximumSeen else { return }
        seen[root, default: []].insert(address)
    }

    /// Until the places are known, any futex in the data of the image that holds the root queues counts.
    private func isParkingPlace(_ address: UInt, of root: RootQueue) -> Bool {
        parking.map { $0.contains(address, of: root) } ?? isBesideRoots(address)
    }

    private func isBesideRoots(_ address: UInt) -> Bool {
        stacks.data(holding: roots.addresses[0])?.range.contains(address) == true
    }
}
