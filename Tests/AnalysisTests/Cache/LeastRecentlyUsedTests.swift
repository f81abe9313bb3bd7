import TestSupport
import Testing

@testable import Analysis

@Suite struct LeastRecentlyUsedTests {
    /// The same in the plainest form: an array, the least recently used first.
    private struct Model {
        let costLimit: Int
        var entries: [(key: Int, value: Int, cost: Int)] = []

        var cost: Int { entries.reduce(0) { $0 + $1.cost } }

        mutating func value(for key: Int) -> Int? {
            guard let index = entries.firstIndex(where: { $0.key == key }) else { return nil }
            let entry = entries.remove(at: index)
            entries.append(entry)
            return entry.value
        }

        mutating func insert(_ value: Int, for key: Int, cost: Int) -> [Int] {
            guard cost <= costLimit else { return [] }
            entries.removeAll { $0.key == key }
            entries.append((key, value, cost))
            var evicted: [Int] = []
            while self.cost > costLimit {
                evicted.append(entries.removeFirst().value)
            }
            return evicted
        }
    }

    @Test(arguments: [1, 10, 100, 1_000])
    func agreesWithAPlainModelInAnyOrderOfSteps(costLimit: Int) {
        let seed = RandomRun.seed
        var random = SeededGenerator(seed: seed)
        var cache = LeastRecentlyUsed<Int, Int>(costLimit: costLimit)
        var model = Model(costLimit: costLimit)
        for step in 0..<20_000 {
            let key = Int.random(in: 0..<60, using: &random)
            if Bool.random(using: &random) {
                #expect(cache.value(for: key) == model.value(for: key), "seed \(seed), step \(step)")
            } else {
                let cost = Int.random(in: 1...25, using: &random)
                let evicted = cache.insert(step, for: key, cost: cost)
                #expect(evicted == model.insert(step, for: key, cost: cost), "seed \(seed), step \(step)")
            }
            #expect(cache.cost == model.cost, "seed \(seed), step \(step)")
            #expect(cache.count == model.entries.count, "seed \(seed), step \(step)")
            #expect(cache.cost <= costLimit, "seed \(seed), step \(step)")
        }
    }
}
