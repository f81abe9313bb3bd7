/// A `Content-Type`: what a body is (RFC 9110, section 8.3.1).
public struct MediaType: Sendable, Equatable {
    /// A parameter of a media type.
    public struct Parameter: Sendable, Equatable {
        /// In lower case.
        public let name: String
        /// As sent, with quotes and their escapes taken off.
        public let value: String
    }

    /// The part before the slash, in lower case.
    public let type: String
    /// The part after the slash, in lower case.
    public let subtype: String
    /// In the order sent; each name once.
    public let parameters: [Parameter]

    /// Parses a field's value.
    ///
    /// Nil if it is malformed, holds a control character, or names a parameter twice: two readers could then
    /// understand it differently.
    public init?(_ text: String) {
        guard !text.utf8.contains(where: { ($0 < 0x20 && $0 != UInt8(ascii: "\t")) || $0 == 0x7F }) else { return nil }
        var rest = Array(text.utf8)[...]
        HeaderParameters.skipWhitespace(&rest)
        guard let type = HeaderParameters.takeToken(&rest), rest.popFirst() == UInt8(ascii: "/"),
            let subtype = HeaderParameters.takeToken(&rest),
            let parameters = HeaderParameters.parse(rest, backslash: .escapesAnything)
        else { return nil }
        self.type = type.lowercased()
        self.subtype = subtype.lowercased()
        self.parameters = parameters.map { Parameter(name: $0.name, value: $0.value) }
    }

    /// Type and subtype without the parameters, as in `multipart/form-data`.
    public var essence: String {
        "\(type)/\(subtype)"
    }

    /// The value of a parameter, by its name in any case; nil if it wasn't sent.
    public subscript(parameter name: String) -> String? {
        let name = name.lowercased()
        return parameters.first { $0.name == name }?.value
    }
}
