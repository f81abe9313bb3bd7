import TestSupport
import Testing

@testable import Scheduling

@Suite struct WaitingLineTests {
    @Test func servesInTheOrderOfArrival() {
        var line = WaitingLine<Int>()
        for member in 1...3 {
            _ = line.append(member)
        }
        #expect(line.head == 1)
        #expect([line.removeHead(), line.removeHead(), line.removeHead(), line.removeHead()] == [1, 2, 3, nil])
        #expect(line.isEmpty)
    }

    @Test func stepsOverThoseWhoLeft() {
        var line = WaitingLine<Int>()
        let tickets = (1...5).map { line.append($0) }
        #expect(line.remove(tickets[1]) == 2)
        #expect(line.remove(tickets[0]) == 1)
        #expect(line.remove(tickets[3]) == 4)
        #expect(line.count == 2)
        #expect([line.removeHead(), line.removeHead(), line.removeHead()] == [3, 5, nil])
    }

    @Test func aTicketWorksOnce() {
        var line = WaitingLine<Int>()
        let first = line.append(1)
        #expect(line.remove(first) == 1)
        _ = line.append(2)
        #expect(line.remove(first) == nil)
        #expect(line.head == 2)
    }

    @Test func agreesWithAnArrayInAnyOrderOfSteps() {
        let seed = RandomRun.seed
        var random = SeededGenerator(seed: seed)
        var line = WaitingLine<Int>()
        var model: [(ticket: WaitingLine<Int>.Ticket, member: Int)] = []
        for step in 0..<RandomRun.steps {
            switch Int.random(in: 0..<4, using: &random) {
            case 0, 1:
                model.append((line.append(step), step))
            case 2 where !model.isEmpty:
                let left = model.remove(at: Int.random(in: 0..<model.count, using: &random))
                #expect(line.remove(left.ticket) == left.member, "seed \(seed), step \(step)")
            default:
                let served = model.isEmpty ? nil : model.removeFirst().member
                #expect(line.removeHead() == served, "seed \(seed), step \(step)")
            }
            #expect(line.head == model.first?.member, "seed \(seed), step \(step)")
            #expect(line.count == model.count, "seed \(seed), step \(step)")
        }
    }
}
