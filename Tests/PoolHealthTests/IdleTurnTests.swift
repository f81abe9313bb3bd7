import Testing

@testable import PoolHealth

@Suite struct IdleTurnTests {
    @Test func asksEachPoolOnceARound() {
        for pool in Pool.ofTasks {
            let asked = (0..<30).filter { IdleTurn(tick: $0, round: 30)?.includes(.task, pool) == true }
            #expect(asked.count == 1, "\(pool)")
        }
    }

    @Test func everyTurnIsOnATickThatLooksAnyway() {
        let turns = (0..<4 * ProbeBoard.idleRound).filter { IdleTurn(tick: $0, round: ProbeBoard.idleRound) != nil }
        #expect(turns.count == 4 * Pool.ofTasks.count)
        #expect(turns.allSatisfy { $0 % MonitorLoop.regularTicks == 0 })
    }

    @Test(arguments: Pool.ofTasks)
    func asksInAllWaysWithinTwoRounds(_ pool: Pool) {
        for lane in ProbeLane.allCases {
            #expect((0..<20).contains { IdleTurn(tick: $0, round: 10)?.includes(lane, pool) == true }, "\(lane)")
        }
    }

    @Test func neverWakesTwoThreadsOfARootQueue() {
        for turn in (0..<60).compactMap({ IdleTurn(tick: $0, round: 30) }) {
            for pool in Pool.ofTasks {
                #expect(!(turn.includes(.task, pool) && turn.includes(.gcdGlobal, pool)))
                #expect(!(turn.includes(.timer, pool) && turn.includes(.gcdSerial, pool)))
            }
        }
    }
}
