/// Why the service doesn't start with the configuration that it was given.
public enum ConfigurationError: Error, Equatable, CustomStringConvertible {
    /// The file can't be read.
    case unreadable(path: String, reason: String)
    /// The file is not JSON5.
    case malformed(path: String, reason: String)
    /// A key that stands twice in one object of the file.
    case repeatedKey(path: String, reason: String)
    /// A key that doesn't exist, with those that do and look like it.
    case unknownKey(String, source: String, suggestions: [String])
    /// A value that is not allowed.
    case badValue(key: String, value: String, source: String, allowed: String)
    /// Two values that are allowed, but not together.
    case contradiction(String)
    /// A flag without its value, or a word that is neither flag nor command.
    case badArgument(String, reason: String)

    /// One line that says what is wrong and what would be right.
    public var description: String {
        switch self {
        case .unreadable(let path, let reason):
            "\(path): can't be read: \(reason)"
        case .malformed(let path, let reason):
            "\(path): not JSON5: \(reason)"
        case .repeatedKey(let path, let reason):
            "\(path): \(reason)"
        case .unknownKey(let key, let source, let suggestions):
            "\(source): there is no setting '\(key)'"
                + (suggestions.isEmpty ? "" : "; did you mean \(suggestions.joined(separator: " or "))?")
        case .badValue(let key, let value, let source, let allowed):
            "\(source): \(key) is \(value), but it must be \(allowed)"
        case .contradiction(let reason):
            reason
        case .badArgument(let argument, let reason):
            "\(argument): \(reason)"
        }
    }
}
