/// A value of a model's card that is not allowed.
public struct ModelCardError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The field's path in the card, such as `recipe.crop.width`.
    public let field: String

    /// What is wrong with it, with the value and what would be allowed.
    public let problem: String

    /// The field and its problem as one sentence.
    public var description: String { "\(field): \(problem)" }
}
