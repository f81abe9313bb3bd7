/// Why a body is not the `multipart/form-data` that it claims to be. Its description is a sentence for the client.
///
/// Parts are numbered from 1. Texts that come from the client are shortened, and may hold anything.
public enum MultipartError: Error, Equatable, Sendable {
    /// The request's `Content-Type` is malformed or not `multipart/form-data`.
    case notFormData(contentType: String)
    /// The request's `Content-Type` names no boundary.
    case missingBoundaryParameter
    /// The boundary is not 1 to 70 of the characters that RFC 2046 allows, or ends in a space.
    case invalidBoundary(String)
    /// The body ended, and the boundary never came.
    case boundaryNotFound(boundary: String)
    /// The body ended in the middle: the final boundary, with two dashes at its end, is missing.
    case missingFinalBoundary(boundary: String, partsBegun: Int)
    /// A boundary or header line ends in LF without CR. `part` is the part that it begins or belongs to.
    case bareLineFeed(part: Int)
    /// There is more white space after a boundary than allowed.
    case paddingTooLong(part: Int, limit: Int)
    /// There are more parts than allowed.
    case tooManyParts(limit: Int)
    /// A part's headers are longer than allowed, in bytes.
    case headersTooLarge(part: Int, limit: Int)
    /// A header line is not `name: value`, is folded, or holds a control character.
    case malformedHeader(part: Int, line: String)
    /// A header that may stand once stands twice.
    case repeatedHeader(part: Int, name: String)
    /// A part has no `Content-Disposition`.
    case missingContentDisposition(part: Int)
    /// A part's `Content-Disposition` is malformed, is not `form-data`, has no name, or an unreadable `filename*`.
    case invalidContentDisposition(part: Int, value: String)
    /// A part says that its data is encoded (RFC 7578, section 4.7, deprecates that).
    case unsupportedTransferEncoding(part: Int, value: String)

    /// How much of a client's text an error repeats, in characters.
    private static let excerptLength = 100

    static func excerpt(_ text: String) -> String {
        text.count <= excerptLength ? text : text.prefix(excerptLength) + "…"
    }
}

extension MultipartError: CustomStringConvertible {
    /// What is wrong and, where it isn't obvious, what would be right.
    public var description: String {
        switch self {
        case .notFormData(let contentType):
            "Content-Type is not multipart/form-data: \(contentType)"
        case .missingBoundaryParameter:
            "Content-Type multipart/form-data has no boundary parameter"
        case .invalidBoundary(let boundary):
            "the boundary is not 1 to 70 characters that RFC 2046 allows: \(boundary)"
        case .boundaryNotFound(let boundary):
            "the body has no line --\(boundary)"
        case .missingFinalBoundary(let boundary, let partsBegun):
            "the body ends in part \(partsBegun), before the final line --\(boundary)--"
        case .bareLineFeed(let part):
            "a line before the data of part \(part) ends in LF; every line must end in CR LF"
        case .paddingTooLong(let part, let limit):
            "more than \(limit) spaces after the boundary of part \(part)"
        case .tooManyParts(let limit):
            "more than \(limit) parts"
        case .headersTooLarge(let part, let limit):
            "the headers of part \(part) are longer than \(limit) bytes"
        case .malformedHeader(let part, let line):
            "part \(part) has a malformed header line: \(line)"
        case .repeatedHeader(let part, let name):
            "part \(part) has two headers \(name)"
        case .missingContentDisposition(let part):
            "part \(part) has no Content-Disposition header"
        case .invalidContentDisposition(let part, let value):
            "the Content-Disposition of part \(part) is not form-data with a name: \(value)"
        case .unsupportedTransferEncoding(let part, let value):
            "part \(part) has Content-Transfer-Encoding \(value); send the bytes as they are"
        }
    }
}
