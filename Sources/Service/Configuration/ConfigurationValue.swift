/// A value as it stands in the configuration file, in an environment variable or behind a flag.
///
/// The latter two only know text, so every `ValueFormat` also reads its value from `text`.
enum ConfigurationValue: Sendable, Equatable {
    case text(String)
    case integer(Int)
    case number(Double)
    case boolean(Bool)
    case list([ConfigurationValue])
    case section([String: ConfigurationValue])
    case null

    /// The elements of a list, which as text are separated by commas; nil for anything else.
    var elements: [ConfigurationValue]? {
        switch self {
        case .list(let values): values
        case .text(let text): text.split(separator: ",").map { .text(String($0.filter { $0 != " " })) }
        default: nil
        }
    }

    /// The value as JSON5 writes it; it is quoted in messages and by `embedd check`.
    var json5: String {
        switch self {
        case .text(let text): "\"\(text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\""))\""
        case .integer(let value): "\(value)"
        case .number(let value): "\(value)"
        case .boolean(let value): "\(value)"
        case .list(let values): "[" + values.map(\.json5).joined(separator: ", ") + "]"
        case .section(let values):
            "{" + values.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value.json5)" }.joined(separator: ", ") + "}"
        case .null: "null"
        }
    }
}

extension ConfigurationValue: Decodable {
    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .null
        } else if let value = try? container.decode(Bool.self) {
            self = .boolean(value)
        } else if let value = try? container.decode(Int.self) {
            self = .integer(value)
        } else if let value = try? container.decode(Double.self) {
            self = .number(value)
        } else if let value = try? container.decode(String.self) {
            self = .text(value)
        } else if let values = try? container.decode([ConfigurationValue].self) {
            self = .list(values)
        } else {
            self = .section(try container.decode([String: ConfigurationValue].self))
        }
    }
}
