/// A parameter of a fault that is missing or not allowed.
public struct ChaosPlanError: Error, Equatable, CustomStringConvertible {
    /// Its name.
    public let parameter: String
    /// What is allowed, in words.
    public let allowed: String

    /// `workers is 1 to 512`
    public var description: String { "\(parameter) is \(allowed)" }
}
