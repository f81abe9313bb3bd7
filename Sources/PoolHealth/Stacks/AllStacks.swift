import CPoolHealth
import Glibc
import Threads

/// The stacks of all threads of the process, now. For whoever asks: it reads debug information and takes its time.
enum AllStacks {
    /// Threads that are looked at.
    private static let maximumThreads = 512

    struct Thread {
        let number: Int32
        let name: String
        /// The lane of the program's own that it belongs to.
        let lane: String?
        /// R, S, D and so on.
        let state: String
        let wait: WaitKind?
        /// Empty for a thread that is running.
        let frames: [Frame]
    }

    /// - Parameter name: gives addresses their names, stack by stack; called once.
    static func capture(name: ([[UInt]]) -> [[Frame]]) -> [Thread] {
        let directory = open("/proc/self/task", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard directory >= 0 else { return [] }
        defer { close(directory) }
        var numbers = [Int32](repeating: 0, count: maximumThreads)
        let count = min(Int(cpoolhealth_list_numbers(directory, &numbers, Int32(numbers.count))), numbers.count)
        guard count > 0 else { return [] }
        let reader = StackReader()
        let found = numbers[..<count].compactMap { read($0, reader) }
        let named = name(found.map { $0.stack?.frames ?? [] })
        let roll = ThreadRoll.current
        return zip(found, named).map { found, frames in
            Thread(
                number: found.number, name: found.name, lane: roll[found.number]?.name, state: found.state,
                wait: found.stack?.wait, frames: frames)
        }
    }

    private struct Unnamed {
        let number: Int32
        let name: String
        let state: String
        let stack: RawStack?
    }

    private static func read(_ thread: Int32, _ reader: StackReader) -> Unnamed? {
        let folder = "/proc/self/task/\(thread)"
        guard let call = KernelFile(folder + "/syscall"), let schedule = KernelFile(folder + "/schedstat"),
            let letter = KernelFile(folder + "/stat")?.read(ThreadStatus.state(stat:))
        else { return nil }
        let name = KernelFile.text(folder + "/comm")?.split(separator: "\n").first.map(String.init) ?? ""
        return Unnamed(
            number: thread, name: name, state: String(decoding: [letter], as: UTF8.self),
            stack: reader.read(thread: thread, systemCall: call, schedule: schedule))
    }
}
