import FoundationEssentials

/// Why Foundation couldn't decode a JSON text, in words for the one who sent it.
enum JSONReason {
    static let notJSON = "it is not valid JSON"

    static func text(for error: any Error) -> String {
        guard let error = error as? DecodingError else { return "it can't be read" }
        switch error {
        case .typeMismatch(_, let context), .valueNotFound(_, let context):
            return "\(path(context) ?? "the value") has the wrong type"
        case .keyNotFound(let key, let context):
            return path(context).map { "\($0) has no \(key.stringValue)" } ?? "there is no \(key.stringValue)"
        case .dataCorrupted:
            return notJSON
        @unknown default:
            return "it can't be read"
        }
    }

    /// Where it is: `images[0].id`; nil for the whole text.
    private static func path(_ context: DecodingError.Context) -> String? {
        let names = context.codingPath.map { $0.intValue.map { "[\($0)]" } ?? $0.stringValue }
        return names.isEmpty ? nil : names.joined(separator: ".").replacing(".[", with: "[")
    }
}
