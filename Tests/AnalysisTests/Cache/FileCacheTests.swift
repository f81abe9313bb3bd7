import Foundation
import Imaging
import Scheduling
import TestSupport
import Testing
import Threads

@testable import Analysis

@Suite struct FileCacheTests {
    static let ample = 16 << 20

    /// As long as no test takes.
    static let ever = Duration.seconds(3_600)

    func open(
        _ folder: CacheFolder, path: String? = nil, byteLimit: Int = ample, lookupLimit: Duration = ever,
        closeLimit: Duration = ever, retryInterval: Duration = .zero
    ) throws -> FileCache {
        try FileCache(
            path: path ?? folder.path, byteLimit: byteLimit, timers: TimerQueue(), lookupLimit: lookupLimit,
            closeLimit: closeLimit, retryInterval: retryInterval
        ) { folder.report($0) }
    }

    /// Runs `body` while the cache's thread is held up, as by a disk that stands still.
    func withThreadHeldUp<R>(of cache: FileCache, _ body: () async throws -> R) async rethrows -> R {
        let gate = ThreadSemaphore()
        defer { gate.signal() }
        cache.lane.post { gate.wait() }
        return try await body()
    }

    /// Fills the folder's file with `count` analyses and closes it.
    func fill(_ folder: CacheFolder, count: Int) async throws {
        let cache = try open(folder)
        for number in 0..<count {
            cache.store(CacheSamples.analysis(number), for: CacheSamples.key(number))
        }
        await cache.close()
    }

    @Test func findsWhatWasStoredUnderThatKeyOnly() async throws {
        let folder = try CacheFolder()
        let cache = try open(folder)
        #expect(await cache.value(for: CacheSamples.key(1)) == nil)
        cache.store(CacheSamples.analysis(1), for: CacheSamples.key(1))
        #expect(await cache.value(for: CacheSamples.key(1)) == CacheSamples.analysis(1))
        #expect(await cache.value(for: CacheSamples.key(2)) == nil)
        #expect(await cache.value(for: CacheSamples.key(1, fingerprint: "sha256:def")) == nil)
        #expect(cache.entryCount == 1)
        #expect(cache.byteCount > 1280 * 4)
        #expect(folder.events.isEmpty)
    }

    @Test func outlivesARestart() async throws {
        let folder = try CacheFolder()
        try await fill(folder, count: 50)
        let cache = try open(folder)
        for number in 0..<50 {
            #expect(await cache.value(for: CacheSamples.key(number)) == CacheSamples.analysis(number))
        }
        #expect(cache.entryCount == 50)
        #expect(folder.events.isEmpty)
    }

    @Test func keepsItsBoundOnDisk() async throws {
        let folder = try CacheFolder()
        let byteLimit = 1 << 20
        let cache = try open(folder, byteLimit: byteLimit)
        for number in 0..<1_000 {
            cache.store(CacheSamples.analysis(number), for: CacheSamples.key(number))
            // Awaited now and then, so that no more wait to be written than may.
            if number.isMultiple(of: 100) {
                #expect(await cache.value(for: CacheSamples.key(number)) == CacheSamples.analysis(number))
                #expect(cache.byteCount <= byteLimit)
            }
        }
        #expect(await cache.value(for: CacheSamples.key(999)) != nil)
        #expect(await cache.value(for: CacheSamples.key(0)) == nil)
        #expect(cache.entryCount > 100)
        #expect(cache.entryCount < 200)
        let evicted = folder.events.reduce(0) { sum, event in
            if case .evicted(let count) = event { sum + count } else { sum }
        }
        #expect(evicted + cache.entryCount == 1_000)
        await cache.close()
        #expect(folder.fileByteCount <= byteLimit)
        #expect(folder.fileByteCount > byteLimit / 2)
    }

    @Test func whatWasUsedLastStays() async throws {
        let folder = try CacheFolder()
        let cache = try open(folder, byteLimit: 1 << 20)
        for number in 0..<600 {
            cache.store(CacheSamples.analysis(number), for: CacheSamples.key(number))
            #expect(await cache.value(for: CacheSamples.key(0)) == CacheSamples.analysis(0))
        }
        #expect(await cache.value(for: CacheSamples.key(1)) == nil)
    }

    /// The last uses are noted in memory first; a file that is opened again has to know them.
    @Test func lastUsesOutliveARestart() async throws {
        let folder = try CacheFolder()
        try await fill(folder, count: 150)
        var cache = try open(folder, byteLimit: 1 << 20)
        #expect(await cache.value(for: CacheSamples.key(0)) != nil)
        await cache.close()
        cache = try open(folder, byteLimit: 1 << 20)
        for number in 1_000..<1_100 {
            cache.store(CacheSamples.analysis(number), for: CacheSamples.key(number))
        }
        #expect(await cache.value(for: CacheSamples.key(0)) != nil)
        #expect(await cache.value(for: CacheSamples.key(1)) == nil)
    }

    @Test func aLowerLimitIsReachedAndGivesTheDiskBack() async throws {
        let folder = try CacheFolder()
        try await fill(folder, count: 250)
        let before = folder.fileByteCount
        let byteLimit = 256 << 10
        let cache = try open(folder, byteLimit: byteLimit)
        for number in 0..<20 {
            cache.store(CacheSamples.analysis(number), for: CacheSamples.key(1_000 + number))
        }
        await cache.close()
        #expect(before > byteLimit)
        #expect(folder.fileByteCount <= byteLimit)
    }

    @Test func whatIsLargerThanTheWholeFileIsNotKept() async throws {
        let folder = try CacheFolder()
        let cache = try open(folder, byteLimit: 100_000)
        cache.store(CacheSamples.analysis(1), for: CacheSamples.key(1))
        cache.store(CacheSamples.analysis(2, dimensions: 30_000), for: CacheSamples.key(2))
        #expect(await cache.value(for: CacheSamples.key(2)) == nil)
        #expect(await cache.value(for: CacheSamples.key(1)) != nil)
        #expect(folder.events.isEmpty)
    }

    @Test func twoOnOneFileSeeWhatTheOtherStores() async throws {
        let folder = try CacheFolder()
        let caches = [try open(folder), try open(folder)]
        await withTaskGroup { group in
            for (offset, cache) in caches.enumerated() {
                group.addTask {
                    for number in stride(from: offset, to: 400, by: 2) {
                        cache.store(CacheSamples.analysis(number), for: CacheSamples.key(number))
                        _ = await cache.value(for: CacheSamples.key(number))
                    }
                }
            }
        }
        let refusals = folder.events.count
        #expect(folder.events.allSatisfy { $0 == .refused(.busy) })
        var found = 0
        for number in 0..<400 {
            let values = [
                await caches[0].value(for: CacheSamples.key(number)),
                await caches[1].value(for: CacheSamples.key(number)),
            ]
            #expect(values[0] == values[1])
            #expect(values[0] == nil || values[0] == CacheSamples.analysis(number))
            found += values[0] == nil ? 0 : 1
        }
        #expect(found + refusals >= 400)
    }

    @Test func staysRightWhenManyUseItAtOnce() async throws {
        let folder = try CacheFolder()
        let cache = try open(folder, byteLimit: 512 << 10)
        await withTaskGroup { group in
            for task in 0..<16 {
                group.addTask {
                    for step in 0..<100 {
                        let number = (task * 31 + step * 7) % 150
                        if let found = await cache.value(for: CacheSamples.key(number)) {
                            #expect(found == CacheSamples.analysis(number))
                        } else {
                            cache.store(CacheSamples.analysis(number), for: CacheSamples.key(number))
                        }
                    }
                }
            }
        }
        #expect(cache.byteCount <= 512 << 10)
        #expect(folder.droppedFiles.isEmpty)
    }
}
