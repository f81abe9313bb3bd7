/// A request method (RFC 9110 section 9). Methods are case-sensitive: `get` is not `GET`.
public struct HTTPMethod: Hashable, Sendable, CustomStringConvertible {
    /// The method as it stands in the request line: one or more token characters.
    public let name: String

    /// Makes a method from its name; nil unless every character is a token character (RFC 9110 section 5.6.2).
    public init?(_ name: String) {
        guard !name.isEmpty, name.utf8.allSatisfy(ASCII.isToken) else { return nil }
        self.name = name
    }

    init(uncheckedName name: String) {
        self.name = name
    }

    /// The method's name.
    public var description: String { name }

    /// Whether this is one of the methods that RFC 9110 and RFC 5789 define and an origin server may offer. A server
    /// answers 501 for any other one; CONNECT and TRACE are left out on purpose.
    public var isImplementable: Bool {
        switch name {
        case "GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS", "PATCH": true
        default: false
        }
    }

    /// GET (RFC 9110 section 9.3.1).
    public static let get = HTTPMethod(uncheckedName: "GET")
    /// HEAD (RFC 9110 section 9.3.2).
    public static let head = HTTPMethod(uncheckedName: "HEAD")
    /// POST (RFC 9110 section 9.3.3).
    public static let post = HTTPMethod(uncheckedName: "POST")
    /// PUT (RFC 9110 section 9.3.4).
    public static let put = HTTPMethod(uncheckedName: "PUT")
    /// DELETE (RFC 9110 section 9.3.5).
    public static let delete = HTTPMethod(uncheckedName: "DELETE")
    /// OPTIONS (RFC 9110 section 9.3.7).
    public static let options = HTTPMethod(uncheckedName: "OPTIONS")
    /// PATCH (RFC 5789).
    public static let patch = HTTPMethod(uncheckedName: "PATCH")
    /// CONNECT (RFC 9110 section 9.3.6); recognised in order to be refused.
    public static let connect = HTTPMethod(uncheckedName: "CONNECT")
}
