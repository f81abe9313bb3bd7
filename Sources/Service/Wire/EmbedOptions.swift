import HTTPWire

/// What a request's query asks for: `?model=…&normalize=…&dimensions=…&encoding=…&timeout_ms=…&id=…`.
struct EmbedOptions: Sendable, Equatable {
    /// How a vector is written in JSON.
    enum Encoding: String, Sendable, CaseIterable {
        /// A list of numbers.
        case float
        /// Base64 of little-endian float32.
        case base64
    }

    /// The model that must answer; nil takes the default.
    private(set) var model: String?
    /// Whether the vector is scaled to length 1; nil does what the model's card says.
    private(set) var normalize: Bool?
    /// How many of the vector's leading elements are wanted; nil wants all.
    private(set) var dimensions: Int?
    /// How the vector is written.
    private(set) var encoding = Encoding.float
    /// The longest the request may take; nil takes the service's own deadline.
    private(set) var timeout: Duration?
    /// The client's name for a raw body.
    private(set) var id: String?

    private static let names = ["model", "normalize", "dimensions", "encoding", "timeout_ms", "id"]
    private static let timeoutMilliseconds: ClosedRange<Int64> = 1...3_600_000
    /// The longest name of a picture.
    static let maximumIdBytes = 1024

    /// Reads the query.
    ///
    /// - Throws: `EmbedRequestError` for a value that is not allowed, a name given twice, and a name that doesn't
    ///   exist: a misspelt `normalise=false` that is passed over would be noticed only once the vectors are stored.
    init(query: [RequestTarget.QueryItem]) throws(EmbedRequestError) {
        var seen: Set<String> = []
        for item in query {
            guard seen.insert(item.name).inserted else {
                throw .badParameter(name: item.name, value: item.value, allowed: "given once")
            }
            try read(item)
        }
    }

    private mutating func read(_ item: RequestTarget.QueryItem) throws(EmbedRequestError) {
        switch item.name {
        case "model":
            model = item.value
        case "normalize":
            normalize = try Self.value(of: item, allowed: "true or false") { Bool($0) }
        case "dimensions":
            dimensions = try Self.value(of: item, allowed: "a whole number above 0") { text in
                Int(text).flatMap { $0 > 0 ? $0 : nil }
            }
        case "encoding":
            encoding = try Self.value(of: item, allowed: "float or base64") { Encoding(rawValue: $0) }
        case "timeout_ms":
            let range = Self.timeoutMilliseconds
            let allowed = "a whole number from \(range.lowerBound) to \(range.upperBound)"
            timeout = try Self.value(of: item, allowed: allowed) { text in
                Int64(text).flatMap { range.contains($0) ? .milliseconds($0) : nil }
            }
        case "id":
            id = try Self.value(of: item, allowed: "at most \(Self.maximumIdBytes) bytes long") { text in
                text.utf8.count <= Self.maximumIdBytes ? text : nil
            }
        default:
            throw .unknownParameter(name: item.name, known: Self.names)
        }
    }

    private static func value<Value>(
        of item: RequestTarget.QueryItem, allowed: String, _ read: (String) -> Value?
    ) throws(EmbedRequestError) -> Value {
        guard let value = read(item.value) else {
            throw .badParameter(name: item.name, value: item.value, allowed: allowed)
        }
        return value
    }
}
