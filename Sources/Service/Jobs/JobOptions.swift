import HTTPWire
import Scheduling

/// What `POST /v1/jobs` asks for: `?id=…&priority=…`. How the results are written is asked for with the results.
struct JobOptions: Sendable {
    /// The job's name: the client's, or one that the service has made up. A made up one is nobody else's, so that a
    /// request that is sent again doesn't take the place of the job that it has begun before.
    let id: String
    /// The line its pictures wait in.
    let priority: WaitPriority
    private static let idBytes = 1...128

    /// Reads the query.
    ///
    /// - Throws: `EmbedRequestError`.
    init(query: [RequestTarget.QueryItem]) throws(EmbedRequestError) {
        var rest = query
        priority =
            try Self.take("priority", from: &rest, allowed: "batch or interactive") { text in
                switch text {
                case "batch": .batch
                case "interactive": .interactive
                default: nil
                }
            } ?? .batch
        let allowedID =
            "1 to \(Self.idBytes.upperBound) letters, digits, dots, dashes or underscores, and not \".\" or \"..\""
        id =
            try Self.take("id", from: &rest, allowed: allowedID) { Self.isValidID($0) ? $0 : nil }
            ?? Self.madeUpID()
        if let unknown = rest.first { throw .unknownParameter(name: unknown.name, known: ["id", "priority"]) }
    }

    /// 16 hexadecimal digits.
    private static func madeUpID() -> String {
        let digits = String(UInt64.random(in: 0...UInt64.max), radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }

    /// Whether a text can be a job's name: it stands in paths as it is, where `.` and `..` mean something else (RFC
    /// 3986 section 5.2.4).
    static func isValidID(_ text: String) -> Bool {
        idBytes.contains(text.utf8.count) && text != "." && text != ".."
            && text.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "-"), UInt8(ascii: "_"):
                    true
                default: false
                }
            }
    }

    private static func take<Value>(
        _ name: String, from query: inout [RequestTarget.QueryItem], allowed: String, _ read: (String) -> Value?
    ) throws(EmbedRequestError) -> Value? {
        let items = query.filter { $0.name == name }
        guard let item = items.first else { return nil }
        guard items.count == 1 else { throw .badParameter(name: name, value: item.value, allowed: "given once") }
        guard let value = read(item.value) else {
            throw .badParameter(name: name, value: item.value, allowed: allowed)
        }
        query.removeAll { $0.name == name }
        return value
    }
}
