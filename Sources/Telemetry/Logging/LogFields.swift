/// A log line's fields, in the order in which they are written.
///
/// Written as a dictionary literal, `["status": 200, "path": .string(path)]`, and extended where a field depends on a
/// condition. The keys are the program's own, unlike "time", "level" and "event", and not checked for repetition.
public struct LogFields: Sendable, Equatable, ExpressibleByDictionaryLiteral {
    /// A key with its value.
    public struct Field: Sendable, Equatable {
        /// The field's name.
        public let key: String
        /// The field's value.
        public let value: LogValue
    }

    /// The fields so far.
    public private(set) var fields: [Field]

    /// The literal's pairs in their order.
    public init(dictionaryLiteral elements: (String, LogValue)...) {
        fields = elements.map { Field(key: $0, value: $1) }
    }

    /// Adds a field at the end.
    public mutating func append(_ key: String, _ value: LogValue) {
        fields.append(Field(key: key, value: value))
    }
}
