import Testing

@testable import Scheduling

@Suite struct PermitLedgerTests {
    private func emptyHanded(permits: Int, batchAfter: Int = 3) -> PermitLedger<String> {
        var ledger = PermitLedger<String>(permits: permits, interactiveGrantsPerBatchGrant: batchAfter)
        let tookAll = ledger.takeIfNobodyWaits(permits)
        #expect(tookAll)
        return ledger
    }

    @Test func servesALineInItsOrder() {
        var ledger = emptyHanded(permits: 2)
        for name in ["a", "b", "c"] {
            _ = ledger.enqueue(name, weight: 1, priority: .interactive)
        }
        #expect(ledger.serve() == [])
        ledger.giveBack(2)
        #expect(ledger.serve() == ["a", "b"])
        #expect(ledger.available == 0)
        #expect(ledger.waiting(.interactive) == 1)
    }

    @Test func lightOnesDoNotOvertakeAHeavyOne() {
        var ledger = emptyHanded(permits: 4)
        _ = ledger.enqueue("heavy", weight: 3, priority: .interactive)
        _ = ledger.enqueue("light", weight: 1, priority: .interactive)
        ledger.giveBack(2)
        #expect(ledger.serve() == [])
        let overtook = ledger.takeIfNobodyWaits(1)
        #expect(!overtook)
        ledger.giveBack(1)
        #expect(ledger.serve() == ["heavy"])
        ledger.giveBack(1)
        #expect(ledger.serve() == ["light"])
    }

    @Test func thoseBehindAHeavyOneGoWhenItLeaves() {
        var ledger = emptyHanded(permits: 4)
        let heavy = ledger.enqueue("heavy", weight: 4, priority: .interactive)
        _ = ledger.enqueue("light", weight: 1, priority: .interactive)
        ledger.giveBack(1)
        #expect(ledger.serve() == [])
        #expect(ledger.remove(heavy) == "heavy")
        #expect(ledger.serve() == ["light"])
        #expect(ledger.remove(heavy) == nil)
    }

    @Test func interactiveGoesBeforeBatch() {
        var ledger = emptyHanded(permits: 1)
        _ = ledger.enqueue("batch", weight: 1, priority: .batch)
        _ = ledger.enqueue("interactive", weight: 1, priority: .interactive)
        ledger.giveBack(1)
        #expect(ledger.serve() == ["interactive"])
        ledger.giveBack(1)
        #expect(ledger.serve() == ["batch"])
    }

    @Test func everyFourthGrantIsBatchWhereThreeInteractiveOnesMayOvertake() {
        var ledger = emptyHanded(permits: 1, batchAfter: 3)
        for number in 1...6 {
            _ = ledger.enqueue("b\(number)", weight: 1, priority: .batch)
            _ = ledger.enqueue("i\(number)", weight: 1, priority: .interactive)
        }
        var order: [String] = []
        for _ in 1...12 {
            ledger.giveBack(1)
            order += ledger.serve()
        }
        #expect(order == ["i1", "i2", "i3", "b1", "i4", "i5", "i6", "b2", "b3", "b4", "b5", "b6"])
    }

    @Test func aHeavyBatchWaiterGetsItsTurnUnderAStreamOfInteractiveOnes() {
        var ledger = emptyHanded(permits: 2, batchAfter: 3)
        _ = ledger.enqueue("batch", weight: 2, priority: .batch)
        var order: [String] = []
        for number in 1...5 {
            _ = ledger.enqueue("i\(number)", weight: 1, priority: .interactive)
            ledger.giveBack(1)
            order += ledger.serve()
        }
        // After i3 it is the batch waiter's turn; it holds up i4 and i5 until both permits are there.
        #expect(order == ["i1", "i2", "i3", "batch"])
    }

    @Test func servingInteractiveOnesWhileNoBatchWaitsCountsForNothing() {
        var ledger = emptyHanded(permits: 1, batchAfter: 3)
        for number in 1...5 {
            _ = ledger.enqueue("i\(number)", weight: 1, priority: .interactive)
            ledger.giveBack(1)
            #expect(ledger.serve() == ["i\(number)"])
        }
        _ = ledger.enqueue("batch", weight: 1, priority: .batch)
        _ = ledger.enqueue("i6", weight: 1, priority: .interactive)
        ledger.giveBack(1)
        #expect(ledger.serve() == ["i6"])
    }

    @Test func aBatchWaiterThatLeftLeavesNoClaimBehind() {
        var ledger = emptyHanded(permits: 1, batchAfter: 3)
        let first = ledger.enqueue("b1", weight: 1, priority: .batch)
        for number in 1...3 {
            _ = ledger.enqueue("i\(number)", weight: 1, priority: .interactive)
            ledger.giveBack(1)
            #expect(ledger.serve() == ["i\(number)"])
        }
        #expect(ledger.remove(first) == "b1")
        ledger.giveBack(1)
        let taken = ledger.takeIfNobodyWaits(1)
        #expect(taken)
        _ = ledger.enqueue("b2", weight: 1, priority: .batch)
        _ = ledger.enqueue("i4", weight: 1, priority: .interactive)
        ledger.giveBack(1)
        #expect(ledger.serve() == ["i4"])
    }
}
