/// A request's line and fields, with what follows from them for the connection.
public struct RequestHead: Sendable, Equatable {
    /// The method.
    public let method: HTTPMethod
    /// What the request is about.
    public let target: RequestTarget
    /// The client's protocol version.
    public let version: HTTPVersion
    /// All header fields.
    public let fields: HTTPFields
    /// How the body is delimited.
    public let bodyFraming: BodyFraming
    /// Whether the client holds the body back until it gets `100 Continue` (RFC 9110 section 10.1.1).
    public let expectsContinue: Bool
    /// Whether the client lets the connection live on after the response (RFC 9112 section 9.3).
    public let allowsPersistence: Bool

    /// Makes a head without a parser, for tests and callers of a router; the fields are taken as they are.
    public init(
        method: HTTPMethod, target: RequestTarget, version: HTTPVersion = .http11, fields: HTTPFields = [:],
        bodyFraming: BodyFraming = .none, expectsContinue: Bool = false, allowsPersistence: Bool = true
    ) {
        self.method = method
        self.target = target
        self.version = version
        self.fields = fields
        self.bodyFraming = bodyFraming
        self.expectsContinue = expectsContinue
        self.allowsPersistence = allowsPersistence
    }
}
