/// Which of a network's outputs is the vector, and its form.
public struct ModelOutput: Codable, Equatable, Sendable {
    /// The most dimensions that a vector may have.
    public static let maximumDimensions = 65_536

    /// The output's name in the ONNX file.
    public let name: String

    /// How many numbers it has for one picture.
    public let dimensions: Int

    /// Whether users of the model expect its vectors scaled to Euclidean length 1. The engine leaves that to its
    /// caller.
    public let normalize: Bool

    /// An output description with the given values, unchecked.
    public init(name: String, dimensions: Int, normalize: Bool) {
        self.name = name
        self.dimensions = dimensions
        self.normalize = normalize
    }

    func validate() throws(ModelCardError) {
        guard !name.isEmpty else {
            throw ModelCardError(field: "output.name", problem: "is empty")
        }
        guard (1...Self.maximumDimensions).contains(dimensions) else {
            throw ModelCardError(
                field: "output.dimensions", problem: "\(dimensions) is not 1 to \(Self.maximumDimensions)")
        }
    }
}
