import HTTPWire

/// What an admin route answers.
public struct AdminResponse: Sendable {
    /// The status.
    public let status: HTTPStatus
    /// The value of Content-Type.
    public let contentType: String
    /// The content; left out in the answer to HEAD.
    public let body: [UInt8]

    /// An answer of any kind.
    public init(status: HTTPStatus = .ok, contentType: String, body: [UInt8]) {
        self.status = status
        self.contentType = contentType
        self.body = body
    }

    /// An answer in plain text.
    public static func text(_ text: String, status: HTTPStatus = .ok) -> AdminResponse {
        AdminResponse(status: status, contentType: "text/plain; charset=utf-8", body: Array(text.utf8))
    }

    static func json(_ value: JSONValue, status: HTTPStatus = .ok) -> AdminResponse {
        AdminResponse(status: status, contentType: "application/json", body: value.encoded())
    }
}
