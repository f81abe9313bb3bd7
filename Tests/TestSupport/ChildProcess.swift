import CLinux
import Foundation

/// A program that was started.
///
/// Not Foundation's `Process`: its `run()` copies the table of open descriptors while other threads change it, and
/// crashes, or closes the wrong ones, when tests that run side by side start programs.
public final class ChildProcess: @unchecked Sendable {
    /// How a program ended.
    public enum Ending: Sendable, Equatable {
        case exited(Int32)
        case killed(signal: Int32)
    }

    /// Why there is no program.
    public struct StartFailure: Error, CustomStringConvertible {
        public let description: String
    }

    public let identifier: pid_t

    /// Guards `ending`, which a thread of its own sets once; that is what makes this class Sendable.
    private let condition = NSCondition()
    private var ending: Ending?

    /// Starts a program that is looked up in `PATH`; it inherits nothing but the three streams that it is given.
    ///
    /// - Parameters:
    ///   - environment: Added to this process's own.
    ///   - input: A file that it reads; nothing if nil.
    ///   - output: A file that is made anew; what goes there is dropped if nil.
    ///   - errorOutput: The same.
    public init(
        _ program: String, _ arguments: [String], environment: [String: String] = [:], input: URL? = nil,
        output: URL? = nil, errorOutput: URL? = nil
    ) throws {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, input?.path ?? "/dev/null", O_RDONLY, 0)
        for (descriptor, file) in [(STDOUT_FILENO, output), (STDERR_FILENO, errorOutput)] {
            posix_spawn_file_actions_addopen(
                &actions, descriptor, file?.path ?? "/dev/null", O_WRONLY | O_CREAT | O_TRUNC, 0o600)
        }
        clinux_spawn_without_descriptors(&actions, STDERR_FILENO + 1)

        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        // The test runner's threads may block signals, and a blocked SIGTERM would be inherited.
        var none = sigset_t()
        sigemptyset(&none)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))

        let variables = ProcessInfo.processInfo.environment.merging(environment) { $1 }.map { "\($0)=\($1)" }
        var child: pid_t = 0
        let failure = Self.withCStrings([program] + arguments) { arguments in
            Self.withCStrings(variables) { posix_spawnp(&child, program, &actions, &attributes, arguments, $0) }
        }
        guard failure == 0 else {
            throw StartFailure(description: "\(program): \(String(cString: strerror(failure)))")
        }
        identifier = child
        Thread.detachNewThread { self.reap() }
    }

    /// How the program ended; nil while it runs.
    public var currentEnding: Ending? {
        condition.withLock { ending }
    }

    /// Suspends until the program has ended.
    public func ended() async -> Ending {
        await withCheckedContinuation { continuation in
            Thread.detachNewThread { continuation.resume(returning: self.waitUntilEnded()) }
        }
    }

    /// Blocks until the program has ended.
    public func waitUntilEnded() -> Ending {
        condition.withLock {
            while true {
                if let ending { return ending }
                condition.wait()
            }
        }
    }

    private func reap() {
        var status: Int32 = 0
        while waitpid(identifier, &status, 0) < 0 {
            precondition(errno == EINTR, "somebody else has waited for \(identifier)")
        }
        // What WIFSIGNALED, WTERMSIG and WEXITSTATUS do, which are macros.
        let signal = status & 0x7f
        condition.withLock {
            ending = signal == 0 ? .exited((status >> 8) & 0xff) : .killed(signal: signal)
            condition.broadcast()
        }
    }

    private static func withCStrings<Result>(
        _ strings: [String], _ body: ([UnsafeMutablePointer<CChar>?]) -> Result
    ) -> Result {
        let copies: [UnsafeMutablePointer<CChar>?] = strings.map { strdup($0) } + [nil]
        defer { copies.forEach { free($0) } }
        return body(copies)
    }
}
