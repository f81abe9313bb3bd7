import Synchronization
import Testing
import Threads

@testable import PoolHealth

@Suite struct InFlightTests {
    private let stages = ["read", "queue", "decode"]

    @Test func keepsStageAndIdentifier() {
        let inFlight = InFlight(stages: stages, capacity: 4)
        let first = inFlight.begin("first")
        let second = inFlight.begin(String(repeating: "x", count: 40))
        second.stage = "decode"
        second.stage = "unheard of"
        let entries = inFlight.snapshot()
        #expect(Set(entries.map(\.identifier)) == ["first", String(repeating: "x", count: 32)])
        #expect(inFlight.countsByStage() == [1, 0, 1])
        #expect(second.stage == "decode")
        first.end()
        #expect(inFlight.snapshot().map(\.stage) == ["decode"])
    }

    @Test func aSlotIsUsedAgainAndAnOldTokenDoesNothing() {
        let inFlight = InFlight(stages: stages, capacity: 1)
        let old = inFlight.begin("old")
        old.end()
        let new = inFlight.begin("new")
        old.stage = "decode"
        old.end()
        #expect(inFlight.snapshot().map(\.identifier) == ["new"])
        #expect(inFlight.snapshot().map(\.stage) == ["read"])
        new.end()
        #expect(inFlight.snapshot().isEmpty)
    }

    @Test func whatDoesNotFitIsCounted() {
        let inFlight = InFlight(stages: stages, capacity: 2)
        let requests = (0..<5).map { inFlight.begin("\($0)") }
        #expect(inFlight.snapshot().count == 2)
        #expect(inFlight.overflow == 3)
        for request in requests { request.end() }
        #expect(inFlight.countsByStage() == [0, 0, 0])
    }

    @Test func manyThreadsLeaveNothingBehind() throws {
        let inFlight = InFlight(stages: stages, capacity: 8)
        let done = ThreadSemaphore()
        let torn = Atomic<Int>(0)
        let threads = 4
        for thread in 0..<threads {
            try OwnThread.start(name: "in-flight-\(thread)") {
                let letter = String(UnicodeScalar(UInt8(ascii: "a") + UInt8(thread)))
                for _ in 0..<2_000 {
                    let request = inFlight.begin(String(repeating: letter, count: 32))
                    request.stage = "queue"
                    for entry in inFlight.snapshot() where Set(entry.identifier).count != 1 {
                        torn.add(1, ordering: .relaxed)
                    }
                    request.end()
                }
                done.signal()
            }
        }
        for _ in 0..<threads { done.wait() }
        #expect(torn.load(ordering: .relaxed) == 0)
        #expect(inFlight.snapshot().isEmpty)
    }
}
