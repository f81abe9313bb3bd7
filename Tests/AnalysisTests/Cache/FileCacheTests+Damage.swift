import Foundation
import Imaging
import Scheduling
import TestSupport
import Testing
import Threads

@testable import Analysis

/// Files that are broken, from outside or by another version: dropped rather than trusted.
extension FileCacheTests {
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

    /// Bits flipped anywhere: what is found is right, nothing crashes, and the file works afterwards. Anywhere but in
    /// the application's id (bytes 68 to 71): without it the file is another program's for all that can be known.
    @Test func flippedBitsAreNeverBelieved() async throws {
        let folder = try CacheFolder()
        try await fill(folder, count: 20)
        let whole = try Data(contentsOf: URL(fileURLWithPath: folder.path))
        let seed = RandomRun.seed
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
