/// Why a request's head was refused. After any of these the connection can't be read any further: where the next
/// request would begin is unknown.
public enum RequestError: Error, Hashable, Sendable {
    /// Not `method SP target SP version`.
    case malformedRequestLine
    /// The target is none that the method allows, or holds a broken escape, invalid UTF-8 or a NUL.
    case invalidTarget
    /// A version other than HTTP/1.x.
    case unsupportedVersion
    /// The request line is longer than the limit in bytes.
    case requestLineTooLong(limit: Int)
    /// A line ended by LF alone, or a CR that no LF follows (RFC 9112 section 2.2).
    case bareLineEnding
    /// A control character in the head.
    case controlCharacter
    /// A field line without a colon, with an empty or invalid name, or with a space before the colon.
    case malformedFieldLine
    /// A field line that begins with white space (obs-fold, RFC 9112 section 5.2).
    case foldedFieldLine
    /// More bytes of header fields than the limit.
    case fieldSectionTooLarge(limit: Int)
    /// More header fields than the limit.
    case tooManyFields(limit: Int)
    /// No Host field in HTTP/1.1 (RFC 9112 section 3.2).
    case missingHost
    /// More than one Host field.
    case repeatedHost
    /// The Host field holds something that can't be a host.
    case invalidHost
    /// A Content-Length that isn't one plain decimal number, or more than one of them.
    case invalidContentLength
    /// A Transfer-Encoding other than `chunked`, or any in HTTP/1.0.
    case unsupportedTransferEncoding
    /// Both Content-Length and Transfer-Encoding: the mark of request smuggling (RFC 9112 section 6.1).
    case conflictingFraming
    /// An Expect other than `100-continue`.
    case unknownExpectation

    /// Every slug there is.
    public static let slugs: [String] = [RequestError](
        [
            .malformedRequestLine, .invalidTarget, .unsupportedVersion, .requestLineTooLong(limit: 0), .bareLineEnding,
            .controlCharacter, .malformedFieldLine, .foldedFieldLine, .fieldSectionTooLarge(limit: 0),
            .tooManyFields(limit: 0), .missingHost, .repeatedHost, .invalidHost, .invalidContentLength,
            .unsupportedTransferEncoding, .conflictingFraming, .unknownExpectation,
        ]
    ).map(\.slug)

    /// The status that answers it.
    public var status: HTTPStatus {
        switch self {
        case .requestLineTooLong: .uriTooLong
        case .fieldSectionTooLarge, .tooManyFields: .requestHeaderFieldsTooLarge
        case .unsupportedVersion: .httpVersionNotSupported
        case .unknownExpectation: .expectationFailed
        default: .badRequest
        }
    }

    /// A stable name of the kind, fit for a metric label and for the end of a problem type.
    public var slug: String {
        switch self {
        case .malformedRequestLine: "malformed-request-line"
        case .invalidTarget: "invalid-target"
        case .unsupportedVersion: "unsupported-version"
        case .requestLineTooLong: "request-line-too-long"
        case .bareLineEnding: "bare-line-ending"
        case .controlCharacter: "control-character"
        case .malformedFieldLine: "malformed-field-line"
        case .foldedFieldLine: "folded-field-line"
        case .fieldSectionTooLarge: "header-too-large"
        case .tooManyFields: "too-many-header-fields"
        case .missingHost: "missing-host"
        case .repeatedHost: "repeated-host"
        case .invalidHost: "invalid-host"
        case .invalidContentLength: "invalid-content-length"
        case .unsupportedTransferEncoding: "unsupported-transfer-encoding"
        case .conflictingFraming: "conflicting-framing"
        case .unknownExpectation: "unknown-expectation"
        }
    }

    /// What is wrong, in a sentence for the client's developer. Never repeats what the client sent.
    public var explanation: String {
        switch self {
        case .malformedRequestLine: "The request line is not a method, a target and a version, parted by single spaces."
        case .invalidTarget: "The request target is not valid for its method, or one of its escapes is broken."
        case .unsupportedVersion: "Only HTTP/1.0 and HTTP/1.1 are spoken here."
        case .requestLineTooLong(let limit): "The request line is longer than \(limit) bytes."
        case .bareLineEnding: "A line of the header ends with a CR or an LF alone instead of CRLF."
        case .controlCharacter: "The header holds a control character."
        case .malformedFieldLine: "A header line is not a name, directly followed by a colon, and a value."
        case .foldedFieldLine: "A header line begins with white space."
        case .fieldSectionTooLarge(let limit): "The header fields are larger than \(limit) bytes."
        case .tooManyFields(let limit): "There are more than \(limit) header fields."
        case .missingHost: "An HTTP/1.1 request needs a Host field."
        case .repeatedHost: "There is more than one Host field."
        case .invalidHost: "The Host field is not a host and an optional port."
        case .invalidContentLength: "Content-Length is not one plain decimal number."
        case .unsupportedTransferEncoding: "The only transfer coding taken is chunked, in HTTP/1.1."
        case .conflictingFraming: "Content-Length and Transfer-Encoding exclude each other."
        case .unknownExpectation: "The only expectation known is 100-continue."
        }
    }
}
