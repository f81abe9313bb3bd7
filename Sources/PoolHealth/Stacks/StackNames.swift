import CPoolHealth
import Threads

/// Names stacks, remembers the names, and forgets what it took to find them.
///
/// The tables of symbols and lines that a ``Symbolizer`` reads are some ten megabytes, kept for the thread that has
/// read them until it ends. So one thread does it for all, which ends when it hasn't been needed for a while. The
/// places where a program blocks are few: once named, they need no tables.
final class StackNames: Sendable {
    /// How long the thread waits for more: new places of one incident come close together, and reading the tables again
    /// takes up to a second of a core.
    private static let patience = Duration.seconds(30)
    /// Addresses whose names are remembered, some 300 bytes each.
    static let maximumNames = 1_024

    private struct State {
        var tasks: [NamingTask] = []
        var names: [CompactBacktrace.Entry: [Frame]] = [:]
        var hasThread = false
    }

    private let state = Locked(State())
    private let wakeUp = ThreadSemaphore()

    /// The calls of each stack, the innermost first; inlined functions have frames of their own. Blocks the calling
    /// thread: not for a task.
    ///
    /// Each address is looked up once, however many stacks have it: threads of a pool that stands still are in few
    /// places.
    ///
    /// - Parameter stacks: each a program counter and then return addresses.
    func frames(of stacks: [[UInt]]) -> [[Frame]] {
        let entries = stacks.map { stack in
            stack.enumerated().map { CompactBacktrace.Entry(address: $1, isReturnAddress: $0 > 0) }
        }
        let needed = Set(entries.joined())
        var names = state.withLock { state in state.names.filter { needed.contains($0.key) } }
        let unknown = needed.filter { names[$0] == nil }
        if !unknown.isEmpty { names.merge(ask(Array(unknown))) { $1 } }
        return entries.map { stack in stack.flatMap { names[$0] ?? [Symbolizer.linkerFrame($0)] } }
    }

    private func ask(_ entries: [CompactBacktrace.Entry]) -> [CompactBacktrace.Entry: [Frame]] {
        let task = NamingTask(entries: entries)
        let needsThread = state.withLock { state in
            state.tasks.append(task)
            defer { state.hasThread = true }
            return !state.hasThread
        }
        if needsThread {
            do {
                try OwnThread.start(name: "pool-names") { self.run() }
            } catch {
                // The tables would stay with the calling thread; the dynamic linker knows some names without any.
                let abandoned = state.withLock { state in
                    defer { state.tasks.removeAll() }
                    state.hasThread = false
                    return state.tasks
                }
                for task in abandoned { task.finish([:]) }
                return [:]
            }
        }
        wakeUp.signal()
        return task.wait()
    }

    private func run() {
        cpoolhealth_trim_at_thread_end()
        while true {
            wakeUp.wait(atMost: Self.patience)
            let task: NamingTask? = state.withLock { state in
                guard state.tasks.isEmpty else { return state.tasks.removeFirst() }
                state.hasThread = false
                return nil
            }
            guard let task else { return }
            let names = Symbolizer().names(of: task.entries)
            state.withLock { Self.remember(names, in: &$0.names) }
            task.finish(names)
        }
    }

    /// Forgets the others where there is no room for all, and keeps as many as fit.
    static func remember(
        _ found: [CompactBacktrace.Entry: [Frame]], in names: inout [CompactBacktrace.Entry: [Frame]]
    ) {
        if names.count + found.count > maximumNames { names.removeAll() }
        for (entry, frames) in found.prefix(maximumNames) { names[entry] = frames }
    }
}
