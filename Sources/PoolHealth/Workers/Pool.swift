/// What can stand still: the threads that serve one priority.
///
/// On Linux every quality of service has a root queue of its own with threads of its own, which Swift's tasks of the
/// matching priority share with Dispatch's global queue.
public enum Pool: String, Sendable, CaseIterable {
    /// Tasks of `.userInitiated` (`.high`) and the global queue of the same quality of service.
    case userInitiated = "user_initiated"
    /// Tasks of `.medium`, which is what a task has unless told otherwise, and the default global queue.
    case `default`
    /// Tasks of `.utility` (`.low`) and their global queue.
    case utility
    /// Tasks of `.background` and their global queue.
    case background
    /// The threads of all serial Dispatch queues.
    case overcommit

    /// The pools that run Swift's tasks, the most urgent first.
    static let ofTasks: [Pool] = [.userInitiated, .default, .utility, .background]

    /// Its place in arrays that hold something for each pool.
    var index: Int {
        switch self {
        case .userInitiated: 0
        case .default: 1
        case .utility: 2
        case .background: 3
        case .overcommit: 4
        }
    }
}
