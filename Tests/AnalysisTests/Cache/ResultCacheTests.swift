import Imaging
import Inference
import Testing

@testable import Analysis

@Suite struct ResultCacheTests {
    private static let entryBytes = ResultCache.byteCost(of: CacheSamples.analysis(0))

    @Test func findsWhatWasStoredUnderThatKeyOnly() {
        let cache = ResultCache(byteLimit: 1 << 20)
        let key = CacheSamples.key(1)
        cache.store(CacheSamples.analysis(1), for: key)
        #expect(cache.value(for: key) == CacheSamples.analysis(1))
        #expect(cache.value(for: CacheSamples.key(2)) == nil)
        #expect(cache.value(for: CacheSamples.key(1, fingerprint: "sha256:def")) == nil)
    }

    @Test func keepsItsBoundAndWhatWasUsedLast() {
        let cache = ResultCache(byteLimit: 10 * Self.entryBytes)
        var evicted = 0
        for number in 0..<100 {
            evicted += cache.store(CacheSamples.analysis(number), for: CacheSamples.key(number))
            #expect(cache.byteCount <= cache.byteLimit)
            #expect(cache.value(for: CacheSamples.key(0)) == CacheSamples.analysis(0))
        }
        #expect(cache.entryCount == 10)
        #expect(evicted == 90)
        #expect(cache.value(for: CacheSamples.key(99)) != nil)
        #expect(cache.value(for: CacheSamples.key(90)) == nil)
    }

    @Test func storingAgainCountsOnce() {
        let cache = ResultCache(byteLimit: 1 << 20)
        for _ in 0..<5 {
            cache.store(CacheSamples.analysis(1), for: CacheSamples.key(1))
        }
        #expect(cache.entryCount == 1)
        #expect(cache.byteCount == Self.entryBytes)
    }

    @Test func whatIsLargerThanAllIsNotKeptAndNothingGoesForIt() {
        let cache = ResultCache(byteLimit: Self.entryBytes)
        cache.store(CacheSamples.analysis(1), for: CacheSamples.key(1))
        #expect(cache.store(CacheSamples.analysis(2, dimensions: 1281), for: CacheSamples.key(2)) == 0)
        #expect(cache.value(for: CacheSamples.key(1)) != nil)
        #expect(cache.value(for: CacheSamples.key(2)) == nil)
    }

    @Test func withoutBytesItIsOff() {
        let cache = ResultCache(byteLimit: 0)
        cache.store(CacheSamples.analysis(1, dimensions: 1), for: CacheSamples.key(1))
        #expect(cache.value(for: CacheSamples.key(1)) == nil)
        #expect(cache.byteCount == 0)
    }

    @Test func staysRightWhenManyUseItAtOnce() async {
        let cache = ResultCache(byteLimit: 20 * Self.entryBytes)
        await withTaskGroup { group in
            for task in 0..<8 {
                group.addTask {
                    for step in 0..<500 {
                        let number = (task * 31 + step * 7) % 40
                        if let found = cache.value(for: CacheSamples.key(number)) {
                            #expect(found == CacheSamples.analysis(number))
                        } else {
                            cache.store(CacheSamples.analysis(number), for: CacheSamples.key(number))
                        }
                    }
                }
            }
        }
        #expect(cache.byteCount <= cache.byteLimit)
        #expect(cache.byteCount == cache.entryCount * Self.entryBytes)
    }
}
