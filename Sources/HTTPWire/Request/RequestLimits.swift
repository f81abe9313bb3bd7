/// How large a request's head may be.
public struct RequestLimits: Sendable, Equatable {
    /// Longest request line in bytes, without its CRLF; beyond it: 414.
    public var requestLineBytes: Int
    /// Most bytes of all field lines together, without their CRLFs; beyond it: 431.
    public var fieldSectionBytes: Int
    /// Most field lines; beyond it: 431.
    public var fieldCount: Int

    /// Makes limits; the defaults are those of common servers.
    public init(requestLineBytes: Int = 8 * 1024, fieldSectionBytes: Int = 32 * 1024, fieldCount: Int = 100) {
        self.requestLineBytes = requestLineBytes
        self.fieldSectionBytes = fieldSectionBytes
        self.fieldCount = fieldCount
    }

    /// Empty lines before a request line that are forgiven (RFC 9112 section 2.2 asks for at least one).
    static let leadingEmptyLines = 4
}
