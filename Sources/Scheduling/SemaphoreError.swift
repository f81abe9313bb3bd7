/// Why a semaphore refuses an acquisition outright.
public enum SemaphoreError: Error, Equatable, CustomStringConvertible {
    /// More was asked for than the semaphore has in all: waiting would never end.
    case weightExceedsPermits(weight: Int, permits: Int)

    /// The refusal in words, with both numbers.
    public var description: String {
        switch self {
        case .weightExceedsPermits(let weight, let permits):
            "asked for \(weight) permits where there are only \(permits) in all"
        }
    }
}
