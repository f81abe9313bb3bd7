import TestSupport
import Testing

@testable import Scheduling

@Suite struct DeadlineHeapTests {
    private let start = ContinuousClock.now

    @Test func givesOutOnlyWhatIsDueAndTheEarliestFirst() {
        var heap = DeadlineHeap<String>()
        _ = heap.insert("third", due: start + .seconds(3))
        _ = heap.insert("first", due: start + .seconds(1))
        _ = heap.insert("second", due: start + .seconds(2))
        #expect(heap.earliest == start + .seconds(1))
        #expect(heap.removeDue(at: start) == nil)
        #expect(heap.removeDue(at: start + .seconds(2)) == "first")
        #expect(heap.removeDue(at: start + .seconds(2)) == "second")
        #expect(heap.removeDue(at: start + .seconds(2)) == nil)
        #expect(heap.count == 1)
    }

    @Test func keepsTheOrderOfThoseDueTogether() {
        var heap = DeadlineHeap<Int>()
        for number in 0..<20 {
            _ = heap.insert(number, due: start)
        }
        #expect((0..<20).map { _ in heap.removeDue(at: start) } == Array(0..<20))
    }

    @Test func agreesWithASortedListInAnyOrderOfSteps() {
        let seed = RandomRun.seed
        var random = SeededGenerator(seed: seed)
        var heap = DeadlineHeap<Int>()
        var model: [(due: ContinuousClock.Instant, entry: Int, ticket: DeadlineHeap<Int>.Ticket)] = []
        for step in 0..<RandomRun.steps {
            let instant = start + .seconds(Int.random(in: 0..<50, using: &random))
            switch Int.random(in: 0..<5, using: &random) {
            case 0, 1, 2:
                let place = model.firstIndex { $0.due > instant } ?? model.endIndex
                model.insert((instant, step, heap.insert(step, due: instant)), at: place)
            case 3 where !model.isEmpty:
                let removed = model.remove(at: Int.random(in: 0..<model.count, using: &random))
                #expect(heap.remove(removed.ticket) == removed.entry, "seed \(seed), step \(step)")
                #expect(heap.remove(removed.ticket) == nil, "seed \(seed), step \(step)")
            default:
                while let first = model.first, first.due <= instant {
                    #expect(heap.removeDue(at: instant) == first.entry, "seed \(seed), step \(step)")
                    model.removeFirst()
                }
                #expect(heap.removeDue(at: instant) == nil, "seed \(seed), step \(step)")
            }
            #expect(heap.earliest == model.first?.due, "seed \(seed), step \(step)")
            #expect(heap.count == model.count, "seed \(seed), step \(step)")
        }
    }
}
