import PoolHealth

/// `embedd chaos`: whether the pool monitor sees on this machine, in this container, what it should. Needs no running
/// service and disturbs none.
public struct ChaosCommand: Sendable {
    /// Why the words make no sense.
    public struct UsageError: Error, Equatable, CustomStringConvertible {
        /// One line that says what would be right.
        public let description: String
    }

    /// What is to be printed, and whether all is well.
    public struct Answer: Sendable {
        /// Whole lines.
        public let text: String
        /// Whether the fault was reported with the right verdict.
        public let isRight: Bool
    }

    /// Said first, without a flag.
    private static let faultParameter = "fault"
    private static let hint = "`embedd chaos --help` tells more"

    /// `nil` to print how it is used.
    let plan: ChaosPlan?

    /// Reads the words behind `chaos`: the fault, then flags, each named as the parameter of POST `/debug/chaos`.
    ///
    /// - Throws: ``UsageError``.
    public init(_ words: [String]) throws(UsageError) {
        if ["--help", "-h", "help"].contains(words.first) {
            plan = nil
            return
        }
        let values = try Self.values(words)
        do {
            plan = try ChaosPlan { values[$0] }
        } catch {
            throw UsageError(description: "chaos: \(error); \(Self.hint)")
        }
    }

    private static func values(_ words: [String]) throws(UsageError) -> [String: String] {
        guard let fault = words.first, !fault.hasPrefix("-") else { return [:] }
        let flags: [Flag]
        do {
            flags = try Flag.parse(Array(words.dropFirst()))
        } catch {
            throw UsageError(description: "chaos: \(error); \(hint)")
        }
        var values: [String: String] = [:]
        for flag in flags {
            guard flag.name != faultParameter, ChaosPlan.parameters.contains(flag.name) else {
                throw UsageError(description: "chaos: there is no flag --\(flag.name); \(hint)")
            }
            values[flag.name] = flag.value
        }
        values[faultParameter] = fault
        return values
    }

    /// Breaks the pool and waits until that is over. Blocks the calling thread, which must not be one of a pool.
    ///
    /// - Throws: `PoolHealthError` if the system gives no thread or descriptor for the monitor, `StartError` if no
    ///   Swift program with tasks can run here.
    public func run() throws -> Answer {
        guard let plan else { return Answer(text: Self.help, isRight: true) }
        try StartError.requireThreadFiles()
        let outcome = try ChaosDrill.run(plan)
        return Answer(text: outcome.text, isRight: outcome.isRight)
    }

    static let help = """
        Usage: embedd chaos FAULT [--pool POOL] [--workers NUMBER] [--seconds NUMBER]

        Starts the pool monitor in this process, without the service, breaks one of the process's own pools, and prints
        what the monitor says of it: the verdict, how long it took to see, the function and line, and whether the
        platform gives it threads and stacks at all. A running service is not touched.

        FAULT:
          sleep, lock, semaphore, read     tasks that block their threads in that way
          compute                          tasks that compute without a pause
          dispatch                         blocks on a global queue of Dispatch that sleep
          serial                           as many serial queues with a sleeping block that no thread is left

          --pool POOL                      user_initiated, default (the default), utility or background
          --workers NUMBER                 tasks, blocks or queues, 1 to 512; as many as it takes if left out
          --seconds NUMBER                 how long, up to 60; 2 if left out

        Exits with 0 if the fault was reported with the right verdict, 1 if not, 64 if the words make no sense.

        """
}
