import Foundation
import Imaging
import Scheduling
import TestSupport
import Testing
import Threads

@testable import Analysis

@Suite struct FileCacheTests {
    private static let ample = 16 << 20

    /// As long as no test takes.
    private static let ever = Duration.seconds(3_600)

    private func open(
        _ folder: CacheFolder, path: String? = nil, byteLimit: Int = ample, lookupLimit: Duration = ever,
        closeLimit: Duration = ever, retryInterval: Duration = .zero
    ) throws -> FileCache {
        try FileCache(
            path: path ?? folder.path, byteLimit: byteLimit, timers: TimerQueue(), lookupLimit: lookupLimit,
            closeLimit: closeLimit, retryInterval: retryInterval
        ) { folder.report($0) }
    }

    /// Runs `body` while the cache's thread is held up, as by a disk that stands still.
    private func withThreadHeldUp<R>(of cache: FileCache, _ body: () async throws -> R) async rethrows -> R {
        let gate = ThreadSemaphore()
        defer { gate.signal() }
        cache.lane.post { gate.wait() }
        return try await body()
    }

    /// Fills the folder's file with `count` analyses and closes it.
    private func fill(_ folder: CacheFolder, count: Int) async throws {
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

    @Test func aDamagedRowIsDeletedAndNotBelieved() async throws {
        let folder = try CacheFolder()
        try await fill(folder, count: 3)
        try damage(folder, "UPDATE analyses SET payload = zeroblob(length(payload)) WHERE id = 2")
        let cache = try open(folder)
        #expect(await cache.value(for: CacheSamples.key(1)) == nil)
        #expect(folder.events == [.droppedRow])
        #expect(cache.entryCount == 2)
        #expect(await cache.value(for: CacheSamples.key(0)) == CacheSamples.analysis(0))
        #expect(await cache.value(for: CacheSamples.key(2)) == CacheSamples.analysis(2))
        cache.store(CacheSamples.analysis(1), for: CacheSamples.key(1))
        #expect(await cache.value(for: CacheSamples.key(1)) == CacheSamples.analysis(1))
        #expect(folder.events == [.droppedRow])
    }

    @Test func aPayloadUnderAnotherKeyIsNotBelieved() async throws {
        let folder = try CacheFolder()
        try await fill(folder, count: 2)
        try damage(
            folder,
            """
            UPDATE analyses SET (checksum, payload) = (SELECT checksum, payload FROM analyses WHERE id = 1) WHERE id = 2
            """)
        let cache = try open(folder)
        #expect(await cache.value(for: CacheSamples.key(1)) == nil)
        #expect(folder.events == [.droppedRow])
    }

    @Test func whatIsNoAnalysisInSpiteOfItsChecksumIsDeleted() async throws {
        let folder = try CacheFolder()
        let database = try CacheDatabase(path: folder.path, byteLimit: Self.ample)
        _ = try database.store([(key: CacheSamples.key(1).stored, payload: [1, 2, 3])])
        let cache = try open(folder)
        #expect(await cache.value(for: CacheSamples.key(1)) == nil)
        #expect(folder.events == [.droppedRow])
        cache.store(CacheSamples.analysis(1), for: CacheSamples.key(1))
        #expect(await cache.value(for: CacheSamples.key(1)) == CacheSamples.analysis(1))
    }

    @Test func aDatabaseOfAnotherVersionIsMadeAnew() async throws {
        let folder = try CacheFolder()
        try await fill(folder, count: 3)
        try damage(folder, "PRAGMA user_version = 999")
        try await expectMadeAnew(folder, because: .otherVersion)
    }

    @Test func anotherProgramsDatabaseIsLeftAlone() async throws {
        let folder = try CacheFolder()
        try damage(folder, "CREATE TABLE bookmarks (url TEXT)")
        let before = try Data(contentsOf: URL(fileURLWithPath: folder.path))
        let cache = try open(folder)
        cache.store(CacheSamples.analysis(1), for: CacheSamples.key(1))
        #expect(await cache.value(for: CacheSamples.key(1)) == nil)
        await cache.close()
        #expect(try Data(contentsOf: URL(fileURLWithPath: folder.path)) == before)
        let told = folder.events.contains { event in
            if case .unavailable(let reason) = event { reason.contains("another program's database") } else { false }
        }
        #expect(told)
    }

    @Test func aDatabaseWithoutItsTableIsMadeAnew() async throws {
        let folder = try CacheFolder()
        try await fill(folder, count: 3)
        try damage(folder, "ALTER TABLE analyses RENAME TO others")
        try await expectMadeAnew(folder, because: .damaged)
    }

    @Test(arguments: [50, 100, 4_096, 10_000, 1_000_000])
    func aFileOfGarbageIsMadeAnew(byteCount: Int) async throws {
        let folder = try CacheFolder()
        var random = SeededGenerator(seed: 5)
        let garbage = (0..<byteCount).map { _ in UInt8.random(in: 0...255, using: &random) }
        try Data(garbage).write(to: URL(fileURLWithPath: folder.path))
        try await expectMadeAnew(folder, because: .damaged)
    }

    @Test func anEmptyFileIsTaken() async throws {
        let folder = try CacheFolder()
        try Data().write(to: URL(fileURLWithPath: folder.path))
        let cache = try open(folder)
        cache.store(CacheSamples.analysis(1), for: CacheSamples.key(1))
        #expect(await cache.value(for: CacheSamples.key(1)) != nil)
        #expect(folder.events.isEmpty)
    }

    /// Cut at any length, also within a page: whatever is found is right, and the file works afterwards.
    @Test func aTruncatedFileIsMadeAnew() async throws {
        let folder = try CacheFolder()
        try await fill(folder, count: 40)
        let whole = try Data(contentsOf: URL(fileURLWithPath: folder.path))
        for count in stride(from: whole.count - 1, to: 0, by: -whole.count / 13) {
            try whole.prefix(count).write(to: URL(fileURLWithPath: folder.path))
            let cache = try open(folder)
            for number in 0..<40 {
                let found = await cache.value(for: CacheSamples.key(number))
                #expect(found == nil || found == CacheSamples.analysis(number))
            }
            cache.store(CacheSamples.analysis(7), for: CacheSamples.key(7))
            #expect(await cache.value(for: CacheSamples.key(7)) == CacheSamples.analysis(7))
            await cache.close()
        }
        #expect(folder.droppedFiles.allSatisfy { $0 == .damaged })
        #expect(folder.droppedFiles.count > 5)
    }

    /// Bits flipped anywhere: what is found is right, nothing crashes, and the file works afterwards. Anywhere but in the
    /// application's id (bytes 68 to 71): without it the file is another program's for all that can be known.
    @Test func flippedBitsAreNeverBelieved() async throws {
        let folder = try CacheFolder()
        try await fill(folder, count: 20)
        let whole = try Data(contentsOf: URL(fileURLWithPath: folder.path))
        let seed = UInt64.random(in: 0...UInt64.max)
        var random = SeededGenerator(seed: seed)
        for round in 0..<60 {
            var damaged = whole
            for _ in 0..<Int.random(in: 1...200, using: &random) {
                let position = Int.random(in: 0..<whole.count, using: &random)
                guard !(68..<72).contains(position) else { continue }
                damaged[position] ^= 1 << UInt8.random(in: 0..<8, using: &random)
            }
            try damaged.write(to: URL(fileURLWithPath: folder.path))
            let cache = try open(folder)
            for number in 0..<20 {
                let found = await cache.value(for: CacheSamples.key(number))
                #expect(found == nil || found == CacheSamples.analysis(number), "seed \(seed), round \(round)")
                cache.store(CacheSamples.analysis(100 + number), for: CacheSamples.key(100 + number))
            }
            // At worst one fails, one finds out why, and the next works.
            for _ in 0..<3 {
                cache.store(CacheSamples.analysis(200), for: CacheSamples.key(200))
                _ = await cache.value(for: CacheSamples.key(200))
            }
            #expect(
                await cache.value(for: CacheSamples.key(200)) == CacheSamples.analysis(200),
                "seed \(seed), round \(round): \(folder.events.suffix(5))")
            await cache.close()
        }
    }

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

    /// Changes the file from outside.
    private func damage(_ folder: CacheFolder, _ sql: String) throws {
        let connection = try SQLiteConnection(
            path: folder.path, busyTimeoutMilliseconds: 10_000, valueByteLimit: 1 << 20)
        try connection.execute(sql)
    }

    private func expectMadeAnew(_ folder: CacheFolder, because fault: FileCacheEvent.FileFault) async throws {
        let cache = try open(folder)
        #expect(await cache.value(for: CacheSamples.key(1)) == nil)
        #expect(folder.droppedFiles == [fault])
        cache.store(CacheSamples.analysis(1), for: CacheSamples.key(1))
        #expect(await cache.value(for: CacheSamples.key(1)) == CacheSamples.analysis(1))
        await cache.close()
        let next = try open(folder)
        #expect(await next.value(for: CacheSamples.key(1)) == CacheSamples.analysis(1))
        #expect(folder.droppedFiles == [fault])
    }
}
