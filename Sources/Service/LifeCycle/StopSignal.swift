@preconcurrency import Dispatch
import Glibc
import Scheduling

/// SIGTERM and SIGINT: the first asks to stop, a second one ends the process at once.
final class StopSignal: Sendable {
    private let sources: [any DispatchSourceSignal]
    private let first = ResumeOnce<String>()

    /// From here on the two signals no longer end the process by themselves.
    ///
    /// - Parameter second: Called on a Dispatch queue when a second signal comes.
    init(second: @escaping @Sendable () -> Void) {
        let queue = DispatchQueue(label: "embedd.signals", qos: .userInteractive)
        let first = first
        sources = [(SIGTERM, "SIGTERM"), (SIGINT, "SIGINT")].map { number, name in
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
            source.setEventHandler { @Sendable in
                if !first.resume(returning: name) { second() }
            }
            source.resume()
            return source
        }
    }

    /// From here on neither signal does anything: the service has stopped, and its exit status is its own.
    func ignore() {
        for source in sources { source.cancel() }
    }

    /// The name of the first signal, once it came.
    func wait() async throws -> String {
        try await first.value()
    }
}
