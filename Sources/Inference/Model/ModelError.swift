/// Why a model folder can't be used.
public enum ModelError: Error, Equatable, Sendable, CustomStringConvertible {
    /// A file of the folder can't be read; `reason` is the system's.
    case unreadable(path: String, reason: String)

    /// `card.json` is not JSON, or lacks a field, or has one of the wrong type; `reason` names it.
    case malformedCard(path: String, reason: String)

    /// `card.json` has a value that is not allowed.
    case invalidCard(path: String, error: ModelCardError)

    /// What is wrong with which file, in one line.
    public var description: String {
        switch self {
        case .unreadable(let path, let reason): "can't read \(path): \(reason)"
        case .malformedCard(let path, let reason): "\(path) is not a model card: \(reason)"
        case .invalidCard(let path, let error): "\(path): \(error)"
        }
    }
}
