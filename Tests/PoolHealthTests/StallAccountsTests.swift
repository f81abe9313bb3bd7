import Telemetry
import Testing

@testable import PoolHealth

/// What stalls leave in the metrics.
@Suite struct StallAccountsTests {
    private let metrics: PoolMetrics
    private let state: MonitorState
    private let accounts: StallAccounts

    init() throws {
        let ledger = CulpritLedger()
        metrics = PoolMetrics(registry: MetricsRegistry(), ledger: ledger)
        state = try MonitorState(
            metrics: metrics, ledger: ledger, logger: Logger(format: .text, sink: .discarding), inFlight: nil,
            abortAfter: nil, lanes: [])
        // The monitor began 100 s ago.
        accounts = StallAccounts(
            shared: state, workers: WorkerWatch(width: 2), started: Clock.monotonic() - .seconds(100))
    }

    private func end() {
        state.control.stop()
        state.reporter.post(.stop)
    }

    @Test func aSuspensionIsCountedOnce() {
        defer { end() }
        let pause = Stall(
            number: 1, pool: nil, start: .seconds(39), verdict: Verdict(.hostPaused, confidence: 1),
            end: .seconds(99))
        // The monotonic clock stood still meanwhile, so the tick before was just now.
        accounts.handle(.ended(pause), last: .seconds(98.9), lanes: [])
        #expect(metrics.stallSeconds["process", "host_paused"].value == 60)
        #expect(metrics.stalls["process", "host_paused"].value == 1)
        #expect(metrics.stallActive["process", "host_paused"].value == 0)
    }

    /// It is noticed when it is over, and whoever asks in that moment must not read of one that goes on.
    @Test func aPauseIsOverFromItsFirstRecordOn() {
        defer { end() }
        var stall = Stall(
            number: 1, pool: nil, start: .seconds(97), verdict: Verdict(.hostPaused, confidence: 1), end: .seconds(99))
        #expect(StallRecord(stall, began: .zero, lanes: [], requests: []).duration == .seconds(2))
        stall.end = nil
        #expect(StallRecord(stall, began: .zero, lanes: [], requests: []).duration == nil)
    }

    @Test func aStallOfAPoolIsCountedFromItsStart() {
        defer { end() }
        let stall = Stall(number: 1, pool: .default, start: .seconds(98), verdict: Verdict(.blocked, confidence: 1))
        accounts.handle(.began(stall), last: .seconds(98.25), lanes: [])
        accounts.goOn(stall, elapsed: .seconds(0.5), locates: false)
        #expect(metrics.stallSeconds["default", "blocked"].value == 0.75)
    }

    @Test(arguments: [StallCause.unknown, .cpuSaturated])
    func aBetterCauseTakesThePlaceOfTheFormer(_ former: StallCause) {
        defer { end() }
        var stall = Stall(number: 1, pool: .default, start: .seconds(98), verdict: Verdict(former, confidence: 0.4))
        accounts.handle(.began(stall), last: .seconds(98), lanes: [])
        #expect(metrics.stallActive["default", former.rawValue].value == 1)
        stall.verdict = Verdict(.blocked, confidence: 0.9)
        accounts.handle(.explained(stall, former: former), last: .seconds(98), lanes: [])
        #expect(metrics.stallActive["default", former.rawValue].value == 0)
        #expect(metrics.stallActive["default", "blocked"].value == 1)
        let starts = [former.rawValue, "blocked"].map { metrics.stallStart["default", $0].value }
        #expect(abs(starts[0] - starts[1]) < 1)
    }
}
