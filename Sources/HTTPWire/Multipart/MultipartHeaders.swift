/// Collects one part's header lines and says what they mean (RFC 7578, section 4).
struct MultipartHeaders: Sendable {
    /// The part's number, from 1, for errors.
    let part: Int

    private var contentDisposition: [UInt8]?
    private var contentType: String?
    private var transferEncoding: String?

    init(part: Int) {
        self.part = part
    }

    /// Takes a line without its line end. Headers that don't matter here are checked and ignored, as RFC 7578,
    /// section 4.8, asks for.
    mutating func add(_ line: ArraySlice<UInt8>) throws(MultipartError) {
        var rest = line
        guard let name = HeaderParameters.takeToken(&rest), rest.popFirst() == UInt8(ascii: ":"),
            rest.allSatisfy({ $0 >= 0x20 && $0 != 0x7F || $0 == UInt8(ascii: "\t") })
        else {
            throw .malformedHeader(part: part, line: Self.excerpt(line))
        }
        let value = Self.trimmed(rest)
        switch name.lowercased() {
        case "content-disposition":
            guard contentDisposition == nil else { throw .repeatedHeader(part: part, name: "Content-Disposition") }
            contentDisposition = Array(value)
        case "content-type":
            guard contentType == nil else { throw .repeatedHeader(part: part, name: "Content-Type") }
            contentType = String(decoding: value, as: UTF8.self)
        case "content-transfer-encoding":
            guard transferEncoding == nil else {
                throw .repeatedHeader(part: part, name: "Content-Transfer-Encoding")
            }
            transferEncoding = String(decoding: value, as: UTF8.self)
        default:
            break
        }
    }

    /// The part that the lines describe.
    func finished() throws(MultipartError) -> MultipartPart {
        if let transferEncoding, !["7bit", "8bit", "binary"].contains(transferEncoding.lowercased()) {
            throw .unsupportedTransferEncoding(part: part, value: MultipartError.excerpt(transferEncoding))
        }
        guard let contentDisposition else { throw .missingContentDisposition(part: part) }
        guard let (name, filename) = Self.nameAndFilename(contentDisposition[...]) else {
            throw .invalidContentDisposition(part: part, value: Self.excerpt(contentDisposition[...]))
        }
        return MultipartPart(name: name, filename: filename, contentType: contentType)
    }

    private static func nameAndFilename(_ value: ArraySlice<UInt8>) -> (name: String, filename: String?)? {
        var rest = value
        guard HeaderParameters.takeToken(&rest)?.lowercased() == "form-data",
            let parameters = HeaderParameters.parse(rest, backslash: .escapesQuoteAndItself),
            let name = parameters.first(where: { $0.name == "name" })?.value
        else { return nil }
        let filename = parameters.first { $0.name == "filename" }.map { FormEncoding.decodeBrowserEscapes($0.value) }
        guard let extended = parameters.first(where: { $0.name == "filename*" })?.value else {
            return (FormEncoding.decodeBrowserEscapes(name), filename)
        }
        // It says more than the plain one, and so goes first (RFC 6266, section 4.3).
        guard let decoded = FormEncoding.decodeExtendedValue(extended) else { return nil }
        return (FormEncoding.decodeBrowserEscapes(name), decoded)
    }

    private static func trimmed(_ value: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        func isBlank(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }
        guard let last = value.lastIndex(where: { !isBlank($0) }) else { return value.suffix(0) }
        return value[...last].drop(while: isBlank)
    }

    private static func excerpt(_ bytes: ArraySlice<UInt8>) -> String {
        MultipartError.excerpt(String(decoding: bytes, as: UTF8.self))
    }
}
