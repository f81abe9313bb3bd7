import Inference

/// All that an analysis depends on: two pictures with the same key have the same analysis, bit for bit.
public struct AnalysisKey: Hashable, Sendable {
    /// SHA-256 of the file's bytes.
    public let content: SHA256Digest
    /// The model with its recipe and precision, and how pictures are decoded: `Analyzer.fingerprint`.
    public let fingerprint: String

    /// - Parameters:
    ///   - content: SHA-256 of the file's bytes.
    ///   - fingerprint: The analyzer's fingerprint.
    public init(content: SHA256Digest, fingerprint: String) {
        self.content = content
        self.fingerprint = fingerprint
    }

    /// The digest alone tells nearly all keys apart, and as bytes it is hashed several times faster.
    public func hash(into hasher: inout Hasher) {
        content.bytes.withUnsafeBytes { hasher.combine(bytes: $0) }
    }

    /// The key as the database has it: the digest, of fixed length, then the fingerprint as text.
    var stored: [UInt8] {
        content.bytes + fingerprint.utf8
    }
}
