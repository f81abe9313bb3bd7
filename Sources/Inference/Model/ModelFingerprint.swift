import FoundationEssentials

/// Identifies everything that a vector's numbers depend on.
struct ModelFingerprint: Sendable {
    /// Raised by whoever changes how pixels are prepared or vectors are computed so that the numbers differ: stored
    /// vectors of the old version then no longer claim to be comparable.
    static let arithmeticVersion = 1

    /// `sha256:` and 64 hexadecimal digits.
    let text: String

    init(networkDigest: SHA256Digest, card: ModelCard, precision: InferencePrecision, decoding: String) {
        // A text of its own and not the card's JSON: its form may change without changing any vector.
        let canonical = [
            "network \(networkDigest.hexadecimal)",
            "resize \(Self.canonical(card.recipe.resize))",
            "crop \(card.recipe.crop.width) \(card.recipe.crop.height)",
            "interpolation \(card.recipe.interpolation.rawValue)",
            "mean \(Self.canonical(card.recipe.mean))",
            "std \(Self.canonical(card.recipe.std))",
            "output \(card.output.name) \(card.output.dimensions)",
            "normalize \(card.output.normalize)",
            "precision \(precision.rawValue)",
            "decoding \(decoding)",
            "arithmetic \(Self.arithmeticVersion)",
        ].joined(separator: "\n")
        text = "sha256:" + SHA256Digest(of: Data(canonical.utf8)).hexadecimal
    }

    private static func canonical(_ resize: ModelResize) -> String {
        switch resize {
        case .shorterSide(let side): "shorterSide \(side)"
        case .exact(let size): "exact \(size.width) \(size.height)"
        }
    }

    /// Swift prints the shortest digits that read back as the same number.
    private static func canonical(_ values: [Float]) -> String {
        values.map(\.description).joined(separator: " ")
    }
}
