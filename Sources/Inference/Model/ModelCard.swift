/// What a model folder's `card.json` says: everything about a model that its ONNX file does not.
///
/// Reading one with `JSONDecoder` gives a card whose fields have the right types; ``validate()`` also checks that
/// their values make sense together. ``Model`` does both.
public struct ModelCard: Codable, Equatable, Sendable {
    /// What requests, answers and metrics call the model: 1 to 64 of `a-z 0-9 . _ -`.
    public let name: String

    /// One sentence for a person who chooses among models.
    public let description: String

    /// The weights' licence, as an SPDX expression.
    public let license: String

    /// Where the weights come from: a URL.
    public let source: String

    /// How a picture becomes the network's input.
    public let recipe: ModelRecipe

    /// Which of the network's outputs is the vector, and its form.
    public let output: ModelOutput

    /// A card with the given values, unchecked.
    public init(
        name: String, description: String, license: String, source: String, recipe: ModelRecipe, output: ModelOutput
    ) {
        self.name = name
        self.description = description
        self.license = license
        self.source = source
        self.recipe = recipe
        self.output = output
    }

    /// Checks every value.
    ///
    /// - Throws: ``ModelCardError`` for the first one that is not allowed.
    public func validate() throws(ModelCardError) {
        guard (1...64).contains(name.utf8.count), name.utf8.allSatisfy(Self.isAllowedInName) else {
            throw ModelCardError(field: "name", problem: "\"\(name)\" is not 1 to 64 of a-z, 0-9, '.', '_', '-'")
        }
        for (field, value) in [("license", license), ("source", source)] where value.isEmpty {
            throw ModelCardError(field: field, problem: "is empty")
        }
        try recipe.validate()
        try output.validate()
    }

    private static func isAllowedInName(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"): true
        case UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "-"): true
        default: false
        }
    }
}
