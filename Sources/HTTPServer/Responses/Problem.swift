import HTTPWire

/// An error as the client is told of it: `application/problem+json` (RFC 9457). Thrown by a handler, it becomes the
/// answer.
public struct Problem: Error, Equatable, Sendable {
    /// An extension member's value (RFC 9457 section 3.2).
    public enum Value: Hashable, Sendable {
        /// Text; escaped when written.
        case string(String)
        /// A whole number.
        case integer(Int)
        /// True or false.
        case boolean(Bool)
        /// A list of texts.
        case strings([String])
    }

    /// A member beyond those that the standard names.
    public struct Member: Hashable, Sendable {
        /// The member's name; not one of the standard's own.
        public let name: String
        /// The member's value.
        public let value: Value

        /// Makes a member.
        public init(_ name: String, _ value: Value) {
            self.name = name
            self.value = value
        }
    }

    /// The status of the answer.
    public let status: HTTPStatus
    /// The stable end of the type's URI, in kebab case: clients tell problems apart by it.
    public let slug: String
    /// What kind of problem it is, the same for each one of its type.
    public let title: String
    /// What is wrong this time, and what to do about it; nil where the title says it all.
    public let detail: String?
    /// Further members, in the order they are written.
    public let members: [Member]
    /// Header fields of the answer beside its Content-Type, like Allow or Retry-After.
    public let fields: HTTPFields

    /// Makes a problem.
    public init(
        status: HTTPStatus, slug: String, title: String, detail: String? = nil, members: [Member] = [],
        fields: HTTPFields = [:]
    ) {
        self.status = status
        self.slug = slug
        self.title = title
        self.detail = detail
        self.members = members
        self.fields = fields
    }

    /// The problem as JSON.
    /// - Parameters:
    ///   - typePrefix: What `type` begins with, before the slug.
    ///   - instance: What tells this occurrence from others: the request's id.
    public func json(typePrefix: String, instance: String) -> [UInt8] {
        var output = Array("{\"type\":".utf8)
        JSONText.append(typePrefix + slug, to: &output)
        append("title", .string(title), to: &output)
        append("status", .integer(status.code), to: &output)
        if let detail {
            append("detail", .string(detail), to: &output)
        }
        append("instance", .string(instance), to: &output)
        for member in members {
            append(member.name, member.value, to: &output)
        }
        output.append(contentsOf: "}\n".utf8)
        return output
    }

    private func append(_ name: String, _ value: Value, to output: inout [UInt8]) {
        output.append(UInt8(ascii: ","))
        JSONText.append(name, to: &output)
        output.append(UInt8(ascii: ":"))
        switch value {
        case .string(let text):
            JSONText.append(text, to: &output)
        case .integer(let number):
            output.append(contentsOf: String(number).utf8)
        case .boolean(let flag):
            output.append(contentsOf: (flag ? "true" : "false").utf8)
        case .strings(let texts):
            output.append(UInt8(ascii: "["))
            for (index, text) in texts.enumerated() {
                if index > 0 {
                    output.append(UInt8(ascii: ","))
                }
                JSONText.append(text, to: &output)
            }
            output.append(UInt8(ascii: "]"))
        }
    }
}
