import HTTPWire

/// What an admin route is asked.
public struct AdminRequest: Sendable {
    /// The request's line and fields.
    public let head: RequestHead

    /// The value of the first query item of that name.
    public func query(_ name: String) -> String? {
        head.target.query(name)
    }

    /// Whether a program asks: `?format=json`, or an Accept that names JSON.
    public var wantsJSON: Bool {
        if let format = query("format") { return format == "json" }
        return head.fields.listElements(.accept).contains { $0.hasPrefix("application/json") }
    }
}
