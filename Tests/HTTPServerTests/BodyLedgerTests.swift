import TestSupport
import Testing

@testable import HTTPServer

@Suite struct BodyLedgerTests {
    @Test func countsWhatBodiesHold() {
        var ledger = BodyLedger(limitBytes: 1000, largestBodyBytes: 100)
        let first = ledger.open()
        let second = ledger.open()
        ledger.take(300, for: first)
        ledger.take(50, for: second)
        #expect(ledger.total == 350)
        ledger.release(100, of: first)
        #expect(ledger.total == 250)
        ledger.close(first)
        #expect(ledger.total == 50)
        // Late news of a closed account changes nothing.
        ledger.take(10, for: first)
        ledger.release(10, of: first)
        ledger.close(first)
        #expect(ledger.total == 50)
        ledger.release(1000, of: second)
        ledger.close(second)
        #expect(ledger.total == 0)
        #expect(ledger.count == 0)
    }

    @Test func theOldestBodyMayAlwaysGoOn() {
        var ledger = BodyLedger(limitBytes: 1000, largestBodyBytes: 100)
        let oldest = ledger.open()
        let next = ledger.open()
        ledger.take(900, for: next)
        #expect(ledger.admission(of: 100, for: oldest) == .admitted)
        #expect(ledger.admission(of: 1, for: next) == .waits)
        ledger.close(oldest)
        #expect(ledger.admission(of: 1, for: next) == .admitted)
    }

    @Test func aBodyLargerThanHalfTakesOnlyWhatIsFree() {
        var ledger = BodyLedger(limitBytes: 1000, largestBodyBytes: 900)
        let large = ledger.open()
        ledger.take(500, for: large)
        #expect(ledger.admission(of: 500, for: large) == .admitted)
        #expect(ledger.admission(of: 501, for: large) == .refused(.tooLarge(limit: 1000)))
        ledger.release(500, of: large)
        let other = ledger.open()
        ledger.take(300, for: other)
        ledger.take(600, for: large)
        #expect(ledger.admission(of: 100, for: large) == .admitted)
        #expect(ledger.admission(of: 101, for: large) == .refused(.budgetExhausted))
        #expect(ledger.admission(of: 1, for: other) == .waits)
        ledger.close(other)
        #expect(ledger.admission(of: 400, for: large) == .admitted)
    }

    /// As above, where some of the bodies are larger than what is kept for one: these may be refused, the others may
    /// not.
    @Test(arguments: 0..<20)
    func theLimitHoldsForBodiesLargerThanHalf(seed: UInt64) {
        let limit = 1000
        let largest = 900
        var generator = SeededGenerator(seed: seed)
        var ledger = BodyLedger(limitBytes: limit, largestBodyBytes: largest)
        var open = (0..<40).map { _ in
            let size = Int.random(in: 1...largest, using: &generator)
            return (account: ledger.open(), size: size, remaining: size)
        }
        var idleRounds = 0
        while !open.isEmpty, idleRounds < 10_000 {
            let index = Int.random(in: open.indices, using: &generator)
            let bytes = min(16, open[index].remaining)
            idleRounds += 1
            guard bytes > 0 else {
                ledger.close(open.remove(at: index).account)
                idleRounds = 0
                continue
            }
            switch ledger.admission(of: bytes, for: open[index].account) {
            case .admitted:
                ledger.take(bytes, for: open[index].account)
                open[index].remaining -= bytes
                idleRounds = 0
            case .refused(let error):
                #expect(error == .budgetExhausted)
                #expect(open[index].size > limit / 2)
                ledger.close(open.remove(at: index).account)
                idleRounds = 0
            case .waits:
                break
            }
            #expect(ledger.total <= limit)
        }
        #expect(open.isEmpty, "deadlock")
        #expect(ledger.total == 0)
    }

    @Test func oneBodyLeavesHalfOfItToTheNext() {
        var ledger = BodyLedger(limitBytes: 1100, largestBodyBytes: 100)
        _ = ledger.open()
        let greedy = ledger.open()
        var taken = 0
        while ledger.admission(of: 10, for: greedy) == .admitted {
            ledger.take(10, for: greedy)
            taken += 10
        }
        #expect(taken == 500)
        #expect(ledger.admission(of: 10, for: ledger.open()) == .admitted)
    }

    @Test(arguments: [2, 5, 20])
    func bodiesOfOneKindGetEqualShares(count: Int) {
        var ledger = BodyLedger(limitBytes: 11_000, largestBodyBytes: 1000)
        _ = ledger.open()
        let accounts = (0..<count).map { _ in ledger.open() }
        let held = fill(&ledger, accounts)
        let share = 10_000 / (count + 1)
        for bytes in held {
            #expect(abs(bytes - share) <= count)
        }
    }

    /// Every body is collected whole before any of its bytes is given back: what deadlocks where all only have a share.
    @Test(arguments: 0..<20)
    func collectedBodiesAllGetThroughUnderTheLimit(seed: Int) {
        let limit = 1000
        let largest = 200
        let read = 16
        var ledger = BodyLedger(limitBytes: limit, largestBodyBytes: largest)
        var state = UInt64(seed) &* 0x9E37_79B9_7F4A_7C15 | 1
        func random(_ bound: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(state >> 33) % bound
        }
        var open = (0..<40).map { _ in (account: ledger.open(), remaining: 1 + random(largest)) }
        var idleRounds = 0
        while !open.isEmpty {
            let index = random(open.count)
            let bytes = min(read, open[index].remaining)
            if open[index].remaining == 0 {
                ledger.close(open[index].account)
                open.remove(at: index)
                idleRounds = 0
            } else if ledger.admission(of: bytes, for: open[index].account) == .admitted {
                ledger.take(bytes, for: open[index].account)
                open[index].remaining -= bytes
                idleRounds = 0
            }
            #expect(ledger.total <= limit)
            idleRounds += 1
            guard idleRounds < 10_000 else {
                Issue.record("deadlock with \(open.count) bodies")
                return
            }
        }
        #expect(ledger.total == 0)
    }

    /// What its handler needs to give bytes back must not depend on others giving some back first.
    @Test func workingMemoryIsHeldTogetherWithTheBytesItIsFor() {
        var ledger = BodyLedger(limitBytes: 1000, largestBodyBytes: 400)
        let first = ledger.open(isStreamed: true, workingBytes: 50)
        let second = ledger.open(isStreamed: true, workingBytes: 50)
        #expect(ledger.total == 0)
        #expect(ledger.admission(of: 551, for: first) == .waits)
        #expect(ledger.admission(of: 550, for: first) == .admitted)
        ledger.take(100, for: first)
        ledger.take(100, for: first)
        #expect(ledger.total == 250)
        ledger.take(100, for: second)
        #expect(ledger.total == 400)
        ledger.release(199, of: first)
        #expect(ledger.total == 201)
        ledger.release(1, of: first)
        #expect(ledger.total == 150)
        ledger.close(second)
        #expect(ledger.total == 0)
        ledger.take(10, for: first)
        #expect(ledger.total == 60)
        ledger.close(first)
        #expect(ledger.total == 0)
    }

    /// Makes bodies take bytes in turn until none may take more, and tells what each has got.
    private func fill(_ ledger: inout BodyLedger, _ accounts: [BodyLedger.Account]) -> [Int] {
        var held = [Int](repeating: 0, count: accounts.count)
        var grew = true
        while grew {
            grew = false
            for (index, account) in accounts.enumerated() where ledger.admission(of: 1, for: account) == .admitted {
                ledger.take(1, for: account)
                held[index] += 1
                grew = true
            }
        }
        return held
    }

    /// However many bodies it sends, a fifth stays free for those who come next.
    @Test(arguments: [5, 50, 500])
    func oneClientGetsFourFifthsOfIt(count: Int) {
        var ledger = BodyLedger(limitBytes: 11_000, largestBodyBytes: 1000)
        _ = ledger.open()
        let accounts = (0..<count).map { _ in ledger.open(client: .numbered(1)) }
        let held = fill(&ledger, accounts).reduce(0, +)
        #expect(abs(held - 8000) <= 4)
        let newcomer = ledger.open(client: .numbered(2))
        #expect(ledger.admission(of: 1000, for: newcomer) == .admitted)
    }

    /// Shares are a client's and not a connection's: one with a hundred gets no more than one with ten, as soon as
    /// what it took before the other came has been given back.
    @Test func clientsGetEqualSharesHoweverManyBodiesTheySend() {
        var ledger = BodyLedger(limitBytes: 11_000, largestBodyBytes: 1000)
        _ = ledger.open()
        let clients = [Int](repeating: 1, count: 100) + [Int](repeating: 2, count: 10)
        var accounts = clients.map { ledger.open(client: .numbered($0)) }
        var held = fill(&ledger, Array(accounts.prefix(100))) + [Int](repeating: 0, count: 10)
        // One body after the other ends, and its client's next one begins.
        for round in 0..<500 {
            let index = round * 37 % accounts.count
            ledger.close(accounts[index])
            accounts[index] = ledger.open(client: .numbered(clients[index]))
            held[index] = 0
            for (index, more) in fill(&ledger, accounts).enumerated() { held[index] += more }
        }
        let share = 4 * 10_000 / 9
        #expect(abs(held.prefix(100).reduce(0, +) - share) < share / 20)
        #expect(abs(held.suffix(10).reduce(0, +) - share) < share / 20)
    }

    @Test func aClientsOldestBodyMayGoOnWhateverItsOthersHold() {
        var ledger = BodyLedger(limitBytes: 1000, largestBodyBytes: 100)
        let oldest = ledger.open(client: .numbered(1))
        let others = (0..<20).map { _ in ledger.open(client: .numbered(1)) }
        _ = fill(&ledger, others)
        #expect(ledger.admission(of: 100, for: oldest) == .admitted)
    }

    @Test func aStreamedBodyIsNeverTheOldest() {
        var ledger = BodyLedger(limitBytes: 1000, largestBodyBytes: 400)
        let streamed = ledger.open(isStreamed: true)
        let collected = ledger.open()
        let third = ledger.open()
        ledger.take(300, for: third)
        // The collected one has what is kept for the oldest body, although the streamed one was there before.
        #expect(ledger.admission(of: 400, for: collected) == .admitted)
        ledger.take(400, for: collected)
        #expect(ledger.admission(of: 100, for: streamed) == .waits)
        ledger.close(collected)
        #expect(ledger.admission(of: 100, for: streamed) == .admitted)
    }
}

extension ClientNetwork {
    fileprivate static func numbered(_ number: Int) -> ClientNetwork {
        ClientNetwork(SocketAddress(host: "10.0.\(number >> 8).\(number & 0xFF)", port: 1))
    }
}

extension BodyLedger {
    /// A body of a client that has no other.
    fileprivate mutating func open(isStreamed: Bool = false, workingBytes: Int = 0) -> Account {
        open(client: .numbered(1000 + count), isStreamed: isStreamed, workingBytes: workingBytes)
    }
}
