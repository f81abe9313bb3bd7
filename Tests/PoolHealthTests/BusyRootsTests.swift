import Testing

@testable import PoolHealth

@Suite struct BusyRootsTests {
    private static let width = 2
    private let tasks = RootQueue(quality: .default, isOvercommit: false)
    private let serial = RootQueue(quality: .default, isOvercommit: true)
    private let others = RootQueue(quality: .utility, isOvercommit: false)

    private func roots(
        _ states: [WorkerState] = [], of root: RootQueue? = nil, unseen: Int = 0, unidentified: Int = 0,
        believesParked: Bool = true
    ) -> BusyRoots {
        let root = root ?? tasks
        var threads = [Int](repeating: 0, count: RootQueue.all.count)
        var unseenPerRoot = threads
        threads[root.index] = states.count + unseen
        unseenPerRoot[root.index] = unseen
        let samples = states.map { ThreadSample(thread: 1, root: root, state: $0, progress: .none) }
        return BusyRoots(
            samples, threads: threads, unseen: unseenPerRoot, unidentified: unidentified, width: Self.width,
            believesParked: believesParked)
    }

    @Test func nothingKnownIsEverythingBusy() {
        #expect(RootQueue.all.allSatisfy(BusyRoots().contains))
    }

    @Test func aPoolWithoutThreadsOrWithIdleOnesIsIdle() {
        #expect(roots().isEmpty)
        #expect(roots([.parked, .parked]).isEmpty)
    }

    @Test(arguments: [WorkerState.running, .runnable, .blocked(.futex)])
    func aWorkerWithAJobMakesItsOwnPoolBusy(_ state: WorkerState) {
        let roots = roots([.parked, state])
        #expect(roots.contains(tasks))
        #expect(!roots.contains(others))
    }

    @Test func aWorkerThatNobodyHasSeenMayHaveAJob() {
        let roots = roots([.parked], unseen: 1)
        #expect(roots.contains(tasks))
        #expect(!roots.contains(others))
    }

    @Test func aThreadThatNobodyKnowsMayBeAnyPoolsWorker() {
        let roots = roots([.parked], unidentified: 1)
        #expect(roots.contains(tasks))
        #expect(roots.contains(others))
        #expect(!roots.contains(serial))
    }

    @Test func wherePlacesOfIdleThreadsAreNotKnownNoneIsIdle() {
        let roots = roots([.parked], believesParked: false)
        #expect(roots.contains(tasks))
        #expect(!roots.contains(others))
    }

    @Test func blockedSerialQueuesAreUsualUntilThereAreMany() {
        #expect(roots([WorkerState](repeating: .blocked(.read), count: Self.width + 8), of: serial).isEmpty)
        #expect(roots([.blocked(.read)], of: serial, unseen: Self.width + 8).contains(serial))
        #expect(roots(unidentified: Self.width + 9).contains(serial))
    }
}
