import Foundation
import Imaging
import Scheduling
import TestSupport
import Testing
import Threads

@testable import Analysis

/// Disks that can't be written to or stand still, closing, leaving, and other writers: nobody is held up.
extension FileCacheTests {
    @Test func whereNothingCanBeWrittenItGoesOnWithoutAndSaysSoOnce() async throws {
        let folder = try CacheFolder()
        // Not even root can make a file there.
        let cache = try open(folder, path: "/proc/embedd-cache.db")
        for number in 0..<5 {
            cache.store(CacheSamples.analysis(number), for: CacheSamples.key(number))
            #expect(await cache.value(for: CacheSamples.key(number)) == nil)
        }
        let told = folder.events.filter { if case .unavailable = $0 { true } else { false } }
        #expect(told.count == 1)
        #expect(folder.events.filter { $0 == .refused(.unavailable) }.count == 10)
    }

    @Test(.enabled(if: getuid() != 0, "root may write everywhere"))
    func aReadOnlyFolderIsNoFault() async throws {
        let folder = try CacheFolder()
        try FileManager.default.setAttributes([.posixPermissions: 0o555], ofItemAtPath: folder.url.path)
        let cache = try open(folder)
        cache.store(CacheSamples.analysis(1), for: CacheSamples.key(1))
        #expect(await cache.value(for: CacheSamples.key(1)) == nil)
    }

    @Test func comesBackWhenTheFolderDoes() async throws {
        let folder = try CacheFolder()
        try FileManager.default.removeItem(at: folder.url)
        let cache = try open(folder)
        #expect(await cache.value(for: CacheSamples.key(1)) == nil)
        try FileManager.default.createDirectory(at: folder.url, withIntermediateDirectories: false)
        cache.store(CacheSamples.analysis(1), for: CacheSamples.key(1))
        #expect(await cache.value(for: CacheSamples.key(1)) == CacheSamples.analysis(1))
        #expect(folder.events.last == .available)
    }

    @Test func isLeftAloneForAWhileAfterAFailure() async throws {
        let folder = try CacheFolder()
        try FileManager.default.removeItem(at: folder.url)
        let cache = try open(folder, retryInterval: .seconds(3_600))
        #expect(await cache.value(for: CacheSamples.key(1)) == nil)
        try FileManager.default.createDirectory(at: folder.url, withIntermediateDirectories: false)
        cache.store(CacheSamples.analysis(1), for: CacheSamples.key(1))
        #expect(await cache.value(for: CacheSamples.key(1)) == nil)
        #expect(!FileManager.default.fileExists(atPath: folder.path))
    }

    @Test func afterTheCloseNothingIsFoundOrKept() async throws {
        let folder = try CacheFolder()
        let cache = try open(folder)
        cache.store(CacheSamples.analysis(1), for: CacheSamples.key(1))
        await cache.close()
        cache.store(CacheSamples.analysis(2), for: CacheSamples.key(2))
        #expect(await cache.value(for: CacheSamples.key(1)) == nil)
        #expect(cache.entryCount == 0)
        let next = try open(folder)
        #expect(await next.value(for: CacheSamples.key(1)) != nil)
        #expect(await next.value(for: CacheSamples.key(2)) == nil)
    }

    @Test func aCancelledLookupFindsNothing() async throws {
        let folder = try CacheFolder()
        let cache = try open(folder)
        cache.store(CacheSamples.analysis(1), for: CacheSamples.key(1))
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return await cache.value(for: CacheSamples.key(1))
        }
        #expect(await task.value == nil)
        #expect(await cache.value(for: CacheSamples.key(1)) != nil)
    }

    @Test(.timeLimit(.minutes(1))) func aDiskThatStandsStillHoldsUpNobodyForLong() async throws {
        let folder = try CacheFolder()
        let cache = try open(folder, lookupLimit: .milliseconds(1))
        cache.store(CacheSamples.analysis(1), for: CacheSamples.key(1))
        try await withThreadHeldUp(of: cache) {
            for _ in 0..<FileCache.mostWaitingReads {
                #expect(await cache.value(for: CacheSamples.key(1)) == nil)
            }
            let timeouts = Array(repeating: FileCacheEvent.refused(.readTimeout), count: FileCache.mostWaitingReads)
            // Told after the lookup has returned.
            try await eventually("it is told") { folder.events == timeouts }
            // The others don't even wait for that.
            #expect(await cache.value(for: CacheSamples.key(1)) == nil)
            #expect(folder.events.last == .refused(.readBacklog))
        }
        // On a busy machine a lookup may take longer than this test's limit.
        while await cache.value(for: CacheSamples.key(1)) == nil {}
    }

    @Test(.timeLimit(.minutes(1))) func aLookupThatIsCancelledIsNotWaitedFor() async throws {
        let folder = try CacheFolder()
        let cache = try open(folder)
        try await withThreadHeldUp(of: cache) {
            let task = Task { await cache.value(for: CacheSamples.key(1)) }
            try await eventually("it waits") { cache.lane.running == 1 && cache.lane.queued == 1 }
            task.cancel()
            #expect(await task.value == nil)
        }
        #expect(folder.events.isEmpty)
    }

    @Test(.timeLimit(.minutes(1))) func aDiskThatStandsStillDoesNotHoldUpTheClose() async throws {
        let folder = try CacheFolder()
        let cache = try open(folder, closeLimit: .milliseconds(1))
        await withThreadHeldUp(of: cache) {
            await cache.close()
            #expect(await cache.value(for: CacheSamples.key(1)) == nil)
        }
        let told = FileCacheEvent.unavailable(reason: "the disk didn't let it be closed in time")
        try await eventually("it is told") { folder.events.contains(told) }
    }

    @Test func whoeverWritesToTheFileHoldsUpNoLookup() async throws {
        let folder = try CacheFolder()
        let count = 2 * CacheDatabase.usesPerWrite + 10
        let cache = try open(folder)
        for number in 0..<count {
            cache.store(CacheSamples.analysis(number, dimensions: 1), for: CacheSamples.key(number))
            // No more wait to be written than may.
            _ = await cache.value(for: CacheSamples.key(number))
        }
        await cache.close()
        let reopened = try open(folder)
        #expect(await reopened.value(for: CacheSamples.key(0)) != nil)
        let other = try SQLiteConnection(path: folder.path, busyTimeoutMilliseconds: 10_000, valueByteLimit: 1 << 20)
        try other.execute("BEGIN IMMEDIATE")
        for number in 0..<count {
            #expect(await reopened.value(for: CacheSamples.key(number)) != nil)
        }
        #expect(folder.events.isEmpty)
        try other.execute("COMMIT")

        // What could not be written is, when there is something to write.
        let before = try other.integer("SELECT max(last_use) FROM analyses")
        reopened.store(CacheSamples.analysis(count), for: CacheSamples.key(count))
        await reopened.close()
        #expect(try other.integer("SELECT count(*) FROM analyses WHERE last_use > \(before)") == count + 1)
    }

    @Test func aFileThatAnotherIsMakingIsBusyAndNotUnavailable() async throws {
        let folder = try CacheFolder()
        let other = try SQLiteConnection(path: folder.path, busyTimeoutMilliseconds: 10_000, valueByteLimit: 1 << 20)
        try other.execute("BEGIN EXCLUSIVE")
        let cache = try open(folder)
        #expect(await cache.value(for: CacheSamples.key(1)) == nil)
        #expect(folder.events == [.refused(.busy)])
        try other.execute("COMMIT")
        cache.store(CacheSamples.analysis(1), for: CacheSamples.key(1))
        #expect(await cache.value(for: CacheSamples.key(1)) == CacheSamples.analysis(1))
    }

    @Test func noMoreWritesWaitThanMay() async throws {
        let folder = try CacheFolder()
        let cache = try open(folder)
        let writer = try SQLiteConnection(path: folder.path, busyTimeoutMilliseconds: 10_000, valueByteLimit: 1 << 20)
        // The tables are there once a lookup has come back.
        _ = await cache.value(for: CacheSamples.key(0))
        // While another process writes, what is to be written waits for its turn: more come than go meanwhile.
        try writer.execute("BEGIN IMMEDIATE")
        let sample = CacheSamples.analysis(0, dimensions: 1)
        let key = CacheSamples.key(0)
        var rounds = 0
        while !folder.events.contains(.refused(.writeBacklog)), rounds < 1_000_000 {
            for _ in 0..<FileCache.mostWaitingWrites {
                cache.store(sample, for: key)
            }
            rounds += 1
        }
        try writer.execute("COMMIT")
        #expect(folder.events.contains(.refused(.writeBacklog)))
        await cache.close()
    }
}
