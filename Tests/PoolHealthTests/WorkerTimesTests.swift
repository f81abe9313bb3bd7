import Telemetry
import Testing

@testable import PoolHealth

@Suite struct WorkerTimesTests {
    private let metrics = PoolMetrics(registry: MetricsRegistry(), ledger: CulpritLedger())

    private func sample(_ state: WorkerState, cpu: UInt64 = 0, queue: UInt64 = 0) -> ThreadSample {
        ThreadSample(
            thread: 1, root: RootQueue(quality: .utility, isOvercommit: false), state: state,
            progress: ScheduleStatistics(cpuNanoseconds: cpu, waitNanoseconds: queue, timeslices: 1))
    }

    private func seconds(_ state: String) -> Double { metrics.workerSeconds["utility", state].value }

    @Test func theRestOfTheTimeGoesToWhatTheThreadIsDoing() {
        var times = WorkerTimes()
        times.add(sample(.blocked(.read), cpu: 250_000_000, queue: 125_000_000), elapsed: 1)
        times.add(sample(.parked), elapsed: 0.5)
        times.flush(into: metrics.workerSeconds)
        #expect(seconds("cpu") == 0.25)
        #expect(seconds("runqueue") == 0.125)
        #expect(seconds("blocked") == 0.625)
        #expect(seconds("parked") == 0.5)
    }

    @Test func timeInWhichNothingRanGoesToWhatTheThreadDidBefore() {
        var times = WorkerTimes()
        times.pass([sample(.parked, cpu: 7, queue: 7)], elapsed: 0.75)
        times.add(sample(.blocked(.read)), elapsed: 0.125)
        times.flush(into: metrics.workerSeconds)
        #expect(seconds("parked") == 0.75)
        #expect(seconds("blocked") == 0.125)
        #expect(seconds("cpu") == 0)
    }
}
