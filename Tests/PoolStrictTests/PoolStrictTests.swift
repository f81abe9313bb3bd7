import Foundation
import TestSupport
import Testing

/// The library that ends a program whose Swift jobs block.
@Suite struct PoolStrictTests {
    /// By what the fixture calls: the function that is named.
    static let waits = [
        "usleep": "usleep", "nanosleep": "nanosleep", "DispatchSemaphore": "sem_wait", "DispatchGroup": "futex",
        "pthread_mutex": "pthread_mutex_lock", "Mutex": "futex", "pthread_cond": "pthread_cond_wait", "read": "read",
        "poll": "poll", "connect": "connect", "waitpid": "waitpid", "fsync": "fsync",
    ]

    @Test(arguments: waits.keys.sorted())
    func aTaskThatWaitsEndsTheProgram(call: String) async throws {
        let result = try await run(call, "pool")
        #expect(result.ending == .killed(signal: SIGABRT))
        let function = try #require(Self.waits[call])
        #expect(result.errorText.hasPrefix("POOL_STRICT: \(function) blocks a thread that runs a Swift job"))
        #expect(result.errorText.contains("callAfterSuspension"), "\(result.errorText)")
        #expect(result.errorText.contains("swift_job_run"), "\(result.errorText)")
    }

    @Test(arguments: waits.keys.sorted(), ["lane", "block", "main"])
    func whatIsNotOnThePoolMayWait(call: String, place: String) async throws {
        let result = try await run(call, place)
        #expect(result.ending == .exited(0), "\(result.errorText)")
        #expect(result.text == "went on\n")
    }

    @Test func aTaskThatDoesNotWaitGoesOn() async throws {
        let result = try await run("nothing", "pool")
        #expect(result.ending == .exited(0), "\(result.errorText)")
    }

    @Test(arguments: ["pthread_mutex", "Mutex", "pthread_cond"])
    func aTaskMayWaitForALockWithinTheLimit(call: String) async throws {
        let result = try await run(call, "pool", environment: ["POOL_STRICT_LOCK_MS": "60000"])
        #expect(result.ending == .exited(0), "\(result.errorText)")
    }

    @Test func reportsToAFileAndGoesOn() async throws {
        let folder = try TemporaryFolder()
        let result = try await run("usleep", "pool", environment: ["POOL_STRICT_REPORT": folder.file("report").path])
        #expect(result.text == "went on\n")
        let report = try String(contentsOf: folder.file("report"), encoding: .utf8)
        #expect(report.hasPrefix("POOL_STRICT: usleep blocks"))
    }

    private func run(
        _ call: String, _ place: String, environment: [String: String] = [:]
    ) async throws -> CommandResult {
        try await CommandResult.run(
            Self.fixture.path, [call, place],
            // Swift's own report of the crash takes a second and says nothing new.
            environment: environment.merging([
                "LD_PRELOAD": try Self.library.get().path, "SWIFT_BACKTRACE": "enable=no",
            ]) { $1 })
    }

    /// Beside these tests.
    private static let fixture = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
        .deletingLastPathComponent().appending(path: "pool-strict-fixture")

    private static let folder = Result { try TemporaryFolder() }
    private static let library = Result {
        let library = try folder.get().file("libpoolstrict.so")
        let built = try CommandResult.runBlocking(
            packageRoot.appending(path: "Tests/PoolStrict/build").path, [library.path])
        try #require(built.exitStatus == 0, "\(built.errorText)")
        return library
    }
}
