/// What a request is about: the request line's second part (RFC 9112 section 3.2).
///
/// Every escape in it has been checked: `path`, `pathSegments` and `queryItems` are valid Unicode without NUL. Dot
/// segments and empty segments stay as they are; they match no route rather than being resolved.
public struct RequestTarget: Hashable, Sendable {
    /// The forms that a target has.
    public enum Form: Hashable, Sendable {
        /// `/path?query`.
        case origin
        /// `http://authority/path?query`, as sent to a proxy; servers must take it too.
        case absolute
        /// `host:port`, with CONNECT only.
        case authority
        /// `*`, with OPTIONS only.
        case asterisk
    }

    /// A name and value of the query.
    public struct QueryItem: Hashable, Sendable {
        /// The name, decoded.
        public let name: String
        /// The value, decoded; empty when there is no `=`.
        public let value: String
    }

    /// Which form was used.
    public let form: Form
    /// The authority of an absolute-form or authority-form target. It goes before the Host field (RFC 9112 section
    /// 3.2.2).
    public let authority: String?
    /// The path as it was sent, escapes and all; empty for authority form, `*` for asterisk form.
    public let rawPath: String
    /// What follows the `?`, as it was sent; nil without `?`.
    public let rawQuery: String?

    /// Reads a target; nil where it is none that RFC 9112 allows for the method.
    public init?(_ text: String, method: HTTPMethod) {
        let bytes = Array(text.utf8)
        guard !bytes.isEmpty, bytes.allSatisfy({ $0 > ASCII.space && $0 < 0x7F && $0 != UInt8(ascii: "#") }) else {
            return nil
        }
        if method == .connect {
            self.init(form: .authority, authority: text, path: [], query: nil)
            return
        }
        if bytes == [UInt8(ascii: "*")] {
            guard method == .options else { return nil }
            self.init(form: .asterisk, authority: nil, path: bytes[...], query: nil)
            return
        }
        var form = Form.origin
        var authority: String?
        var rest = bytes[...]
        if bytes[0] != ASCII.slash {
            guard let afterScheme = Self.afterScheme(bytes) else { return nil }
            let end =
                bytes[afterScheme...].firstIndex { $0 == ASCII.slash || $0 == ASCII.questionMark } ?? bytes.endIndex
            guard Authority.isValid(bytes[afterScheme..<end]) else { return nil }
            form = .absolute
            authority = String(decoding: bytes[afterScheme..<end], as: UTF8.self)
            rest = bytes[end...]
        }
        let mark = rest.firstIndex(of: ASCII.questionMark)
        self.init(
            form: form, authority: authority, path: rest[..<(mark ?? rest.endIndex)],
            query: mark.map { rest[($0 + 1)...] })
    }

    private init?(form: Form, authority: String?, path: ArraySlice<UInt8>, query: ArraySlice<UInt8>?) {
        if path.contains(ASCII.percent), PercentEncoding.decode(path) == nil { return nil }
        if let query, query.contains(ASCII.percent), PercentEncoding.decode(query) == nil { return nil }
        self.form = form
        self.authority = authority
        // An absolute URI may have an empty path, which means the root (RFC 9110 section 4.2.3).
        rawPath = form == .absolute && path.isEmpty ? "/" : String(decoding: path, as: UTF8.self)
        rawQuery = query.map { String(decoding: $0, as: UTF8.self) }
    }

    /// The path, percent-decoded. An escaped slash can't be told from a real one here; routing uses `pathSegments`.
    public var path: String {
        decoded(rawPath.utf8)
    }

    /// The parts between the slashes, each percent-decoded: `/a//b%2Fc` has the three segments `a`, the empty one and
    /// `b/c`; `/` has one, which is empty.
    public var pathSegments: [String] {
        rawPath.utf8.dropFirst().split(separator: ASCII.slash, omittingEmptySubsequences: false).map { decoded($0) }
    }

    /// The query's names and values in order, decoded as forms are (`+` is a space).
    public var queryItems: [QueryItem] {
        guard let rawQuery else { return [] }
        return rawQuery.utf8.split(separator: UInt8(ascii: "&")).map { item in
            let parts = item.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
            return QueryItem(
                name: decoded(parts[0], plusIsSpace: true),
                value: parts.count > 1 ? decoded(parts[1], plusIsSpace: true) : "")
        }
    }

    /// The value of the first query item of that name.
    public func query(_ name: String) -> String? {
        queryItems.first { $0.name == name }?.value
    }

    private func decoded(_ bytes: some Collection<UInt8>, plusIsSpace: Bool = false) -> String {
        // Never falls back: the initialiser has decoded the whole, and what is valid as a whole is valid between its
        // ASCII delimiters.
        PercentEncoding.decode(bytes, plusIsSpace: plusIsSpace) ?? String(decoding: Array(bytes), as: UTF8.self)
    }

    private static func afterScheme(_ bytes: [UInt8]) -> Int? {
        for scheme in ["http://", "https://"] where bytes.count > scheme.utf8.count {
            if zip(bytes, scheme.utf8).allSatisfy({ ASCII.lowercased($0) == $1 }) { return scheme.utf8.count }
        }
        return nil
    }
}
