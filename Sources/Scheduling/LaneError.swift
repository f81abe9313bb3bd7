/// Why a lane refuses work.
public enum LaneError: Error, Equatable, CustomStringConvertible {
    /// The lane was shut down before the work came.
    case shutDown(lane: String)

    /// The refusal in words.
    public var description: String {
        switch self {
        case .shutDown(let lane): "the lane \(lane) is shut down"
        }
    }
}
