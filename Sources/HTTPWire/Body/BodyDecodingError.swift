/// Why a request's body was refused. The connection can't be read any further after it.
public enum BodyDecodingError: Error, Hashable, Sendable {
    /// The body has more bytes than the limit.
    case tooLarge(limit: Int)
    /// A chunk's size isn't a plain hexadecimal number, or one of absurd length.
    case invalidChunkSize
    /// Something other than CRLF where a chunk or one of its lines has to end, or a control character in an extension.
    case malformedChunk
    /// The chunk extensions of the body are longer than any sender needs.
    case chunkExtensionsTooLarge
    /// The trailer section is longer than any sender needs.
    case trailersTooLarge
    /// A trailer line that isn't a field line.
    case malformedTrailer

    /// Every slug there is.
    public static let slugs: [String] = [BodyDecodingError](
        [
            .tooLarge(limit: 0), .invalidChunkSize, .malformedChunk, .chunkExtensionsTooLarge, .trailersTooLarge,
            .malformedTrailer,
        ]
    ).map(\.slug)

    /// The status that answers it.
    public var status: HTTPStatus {
        switch self {
        case .tooLarge: .contentTooLarge
        default: .badRequest
        }
    }

    /// A stable name of the kind, fit for a metric label and for the end of a problem type.
    public var slug: String {
        switch self {
        case .tooLarge: "body-too-large"
        case .invalidChunkSize: "invalid-chunk-size"
        case .malformedChunk: "malformed-chunk"
        case .chunkExtensionsTooLarge: "chunk-extensions-too-large"
        case .trailersTooLarge: "trailers-too-large"
        case .malformedTrailer: "malformed-trailer"
        }
    }

    /// What is wrong, in a sentence for the client's developer.
    public var explanation: String {
        switch self {
        case .tooLarge(let limit): "The body is larger than \(limit) bytes."
        case .invalidChunkSize: "A chunk's size is not a plain hexadecimal number."
        case .malformedChunk: "A chunk does not end where its size says, or its lines do not end with CRLF."
        case .chunkExtensionsTooLarge: "The chunk extensions are too long."
        case .trailersTooLarge: "The trailer section is too long."
        case .malformedTrailer: "A trailer line is not a field line."
        }
    }
}
