import Testing

@testable import PoolHealth

@Suite struct ExplosionDetectorTests {
    private func run(_ counts: [Int]) -> [ExplosionDetector.Kind?] {
        var detector = ExplosionDetector(width: 2)
        return counts.map { detector.observe(threads: $0) }
    }

    @Test func aThreadASecondIsACreepWhileItGrows() {
        // Ten ticks a second, as seen with 20 blocked blocks on a global queue.
        let counts = (0..<80).map { 2 + $0 / 10 }
        let kinds = run(counts)
        #expect(kinds[..<40].allSatisfy { $0 == nil })
        #expect(kinds[40...].allSatisfy { $0 == .creep })
    }

    @Test func ticksWithoutALookCountToo() {
        var detector = ExplosionDetector(width: 2)
        #expect(detector.observe(threads: 2) == nil)
        // Four seconds later: as many threads, but nobody knows since when, so it is no burst of the last second.
        #expect(detector.observe(threads: 30, ticks: 40) == nil)
        #expect(detector.observe(threads: 62, ticks: 40) == .burst)
        #expect(detector.observe(threads: 62, ticks: 11) == nil)
    }

    @Test func manySerialQueuesAtOnceAreABurst() {
        let kinds = run([3, 3, 3, 256, 256])
        #expect(kinds == [nil, nil, nil, .burst, .burst])
    }

    @Test func aBurstIsOverWhenTheThreadsStay() {
        #expect(run([3] + [Int](repeating: 256, count: 20)).last == .some(nil))
    }

    @Test func aSteadyOrShrinkingPoolIsNone() {
        #expect(run([Int](repeating: 12, count: 100)).allSatisfy { $0 == nil })
        #expect(run((0..<60).map { 100 - $0 }).allSatisfy { $0 == nil })
        #expect(run((0..<100).map { $0 % 2 == 0 ? 5 : 9 }).allSatisfy { $0 == nil })
    }
}
