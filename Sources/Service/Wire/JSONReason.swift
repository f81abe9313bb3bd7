import FoundationEssentials

/// Why Foundation couldn't decode a JSON text, in words for the one who sent it.
enum JSONReason {
    static func text(for error: any Error) -> String {
        guard let error = error as? DecodingError else { return "it can't be read" }
        switch error {
        case .typeMismatch(_, let context), .valueNotFound(_, let context):
            return "\(path(context)) has the wrong type"
        case .keyNotFound(let key, let context):
            let path = path(context)
            return path.isEmpty ? "there is no \(key.stringValue)" : "\(path) has no \(key.stringValue)"
        case .dataCorrupted:
            return "it is not valid JSON"
        @unknown default:
            return "it can't be read"
        }
    }

    private static func path(_ context: DecodingError.Context) -> String {
        let names = context.codingPath.map { $0.intValue.map { "[\($0)]" } ?? $0.stringValue }
        return names.isEmpty ? "the value" : names.joined(separator: ".").replacing(".[", with: "[")
    }
}
