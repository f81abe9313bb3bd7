import TestSupport
import Testing

@testable import PoolHealth

@Suite struct CulpritLedgerTests {
    private func key(_ site: String) -> CulpritLedger.Key {
        .init(pool: "default", site: site, wait: "futex", stage: "none")
    }

    private func seconds(_ ledger: CulpritLedger, _ site: String) -> Double? {
        ledger.series.first { $0.key.site == site }?.seconds
    }

    @Test func ofManySmallSitesTheFirstAreTold() {
        let ledger = CulpritLedger()
        for index in 0..<100 { ledger.add(1, to: key("site \(index)")) }
        ledger.add(1, to: key("site 0"))
        #expect(ledger.series.count == CulpritLedger.largestSites + 1)
        #expect(seconds(ledger, "site 0") == 2)
        #expect(seconds(ledger, CulpritLedger.otherSite) == 80)
    }

    @Test func aLateSiteIsToldAsSoonAsItIsAmongTheLargest() {
        let ledger = CulpritLedger()
        for index in 0..<CulpritLedger.largestSites { ledger.add(10, to: key("early \(index)")) }
        for _ in 0..<10 { ledger.add(1, to: key("late")) }
        #expect(seconds(ledger, "late") == nil)
        #expect(seconds(ledger, CulpritLedger.otherSite) == 10)
        for _ in 0..<5 { ledger.add(1, to: key("late")) }
        // From the second on that made it larger than the smallest; those before stay where they were counted.
        #expect(seconds(ledger, "late") == 5)
        #expect(seconds(ledger, CulpritLedger.otherSite) == 10)
        #expect(seconds(ledger, "early 0") == 10)
    }

    @Test func twoOfTheSameSizeDoNotTakeTurns() {
        let ledger = CulpritLedger()
        for index in 0..<CulpritLedger.largestSites - 1 { ledger.add(1_000, to: key("large \(index)")) }
        for _ in 0..<50 {
            ledger.add(1, to: key("a"))
            ledger.add(1, to: key("b"))
        }
        #expect(seconds(ledger, "a") == 50)
        // It is told from the moment on at which it was as large as the other.
        ledger.add(2, to: key("b"))
        ledger.add(2, to: key("a"))
        ledger.add(2, to: key("b"))
        #expect(seconds(ledger, "a") == 52)
        #expect(seconds(ledger, "b") == 4)
    }

    @Test func aSiteThatComesBackGoesOnFromWhereItWas() {
        let ledger = CulpritLedger()
        ledger.add(3, to: key("first"))
        // Each larger than all before: the set of those that are told is full, and the first one has to go.
        for index in 0..<CulpritLedger.toldSites { ledger.add(Double(10 + index), to: key("site \(index)")) }
        #expect(seconds(ledger, "first") == nil)
        ledger.add(1, to: key("first"))
        #expect(seconds(ledger, CulpritLedger.otherSite) == 1)
        ledger.add(1_000, to: key("first"))
        #expect(seconds(ledger, "first") == 1_003)
        #expect(
            Set(ledger.series.map(\.key.site)).subtracting([CulpritLedger.otherSite]).count == CulpritLedger.toldSites)
    }

    @Test func aProgramThatCallsAPlaceOtherGetsNoSecondCounter() {
        let ledger = CulpritLedger()
        ledger.add(1, to: key(CulpritLedger.otherSite))
        #expect(ledger.series.count == 1)
    }

    /// Whole numbers of seconds, so that sums are exact.
    @Test(arguments: [1, 2, 3] as [UInt64])
    func noCounterEverFallsAndEachSecondIsCountedOnce(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let ledger = CulpritLedger()
        var added = 0.0
        var sizes: [String: Double] = [:]
        var last: [CulpritLedger.Key: Double] = [:]
        for turn in 0..<2_500 {
            // Which sites are hot changes with time; more are made than are known.
            let hot = turn / 100 * 20
            let number =
                Bool.random(using: &generator)
                ? hot + Int.random(in: 0..<12, using: &generator)
                : Int.random(in: 0..<700, using: &generator)
            let site = "site \(number)"
            let seconds = Double(Int.random(in: 1...9, using: &generator))
            added += seconds
            let isKnown = sizes[site] != nil || sizes.count < CulpritLedger.knownSites
            ledger.add(
                seconds,
                to: .init(pool: "default", site: site, wait: turn % 2 == 0 ? "futex" : "read", stage: "none"))
            if isKnown { sizes[site, default: 0] += seconds }
            let series = ledger.series
            for (key, value) in series {
                if value < last[key, default: 0] {
                    Issue.record("\(key) fell from \(last[key, default: 0]) to \(value)")
                }
                last[key] = value
            }
            let told = Set(series.map(\.key.site)).subtracting([CulpritLedger.otherSite])
            #expect(told.count <= CulpritLedger.toldSites)
            #expect(told.contains(site) || !isAmongTheLargest(site, sizes))
        }
        // A site that isn't told any more keeps its last value, so the last values of all make up the whole.
        #expect(last.values.reduce(0, +) == added)
    }

    private func isAmongTheLargest(_ site: String, _ sizes: [String: Double]) -> Bool {
        guard let size = sizes[site] else { return false }
        return sizes.values.count { $0 > size } < CulpritLedger.largestSites
            && sizes.values.count { $0 == size } == 1
    }
}
