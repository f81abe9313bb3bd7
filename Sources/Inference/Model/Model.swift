import FoundationEssentials

/// A model folder that was found complete: a network in `model.onnx` and its ``ModelCard`` in `card.json`.
public struct Model: Sendable {
    /// The network's file name in a model folder.
    public static let networkFileName = "model.onnx"

    /// The card's file name in a model folder.
    public static let cardFileName = "card.json"

    /// What the card says, validated.
    public let card: ModelCard

    /// Where the network's ONNX file is.
    public let networkPath: String

    /// SHA-256 of the ONNX file when the model was loaded.
    let networkDigest: SHA256Digest

    /// Reads and checks a folder. Blocks while it hashes the network: about 10 ms for 13 MB.
    ///
    /// - Parameter folder: the path of a folder that has both files.
    /// - Throws: ``ModelError``.
    public init(folder: String) throws(ModelError) {
        let cardPath = "\(folder)/\(Self.cardFileName)"
        card = try Self.readCard(cardPath)
        networkPath = "\(folder)/\(Self.networkFileName)"
        networkDigest = SHA256Digest(of: try Self.read(networkPath))
    }

    /// Identifies what a vector of this model depends on: `sha256:` and 64 hexadecimal digits.
    ///
    /// Vectors with the same fingerprint may be compared. It covers the network's bytes, the card's recipe and output,
    /// the precision, how pictures are decoded, and the version of this room's own arithmetic; not the model's name,
    /// and nothing of the machine.
    ///
    /// - Parameter decoding: Names the way in which pictures become the pixels that the recipe begins with.
    public func fingerprint(precision: InferencePrecision, decoding: String) -> String {
        ModelFingerprint(networkDigest: networkDigest, card: card, precision: precision, decoding: decoding).text
    }

    private static func readCard(_ path: String) throws(ModelError) -> ModelCard {
        let content = try read(path)
        let card: ModelCard
        do {
            card = try JSONDecoder().decode(ModelCard.self, from: content)
        } catch {
            throw .malformedCard(path: path, reason: reason(error))
        }
        do {
            try card.validate()
        } catch {
            throw .invalidCard(path: path, error: error)
        }
        return card
    }

    private static func read(_ path: String) throws(ModelError) -> Data {
        do {
            // Mapped, since a network may be larger than what should be copied to memory for one look.
            return try Data(contentsOf: URL(filePath: path), options: .mappedIfSafe)
        } catch {
            throw .unreadable(path: path, reason: reason(error))
        }
    }

    /// The part of Foundation's errors that a person can act on.
    private static func reason(_ error: any Error) -> String {
        switch error {
        case DecodingError.keyNotFound(let key, let context):
            "\(path(context.codingPath + [key])) is missing"
        case DecodingError.typeMismatch(_, let context), DecodingError.valueNotFound(_, let context),
            DecodingError.dataCorrupted(let context):
            context.codingPath.isEmpty
                ? context.debugDescription : "\(path(context.codingPath)): \(context.debugDescription)"
        default:
            SystemReason.text(for: error)
        }
    }

    private static func path(_ keys: [any CodingKey]) -> String {
        keys.map { key in key.intValue.map { "[\($0)]" } ?? key.stringValue }.joined(separator: ".")
    }
}
