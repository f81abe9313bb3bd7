/// A route's pattern, cut into segments.
struct PathPattern: Sendable {
    private enum Segment: Sendable {
        case literal(String)
        case parameter(String)
    }

    private let segments: [Segment]

    /// Reads a pattern; nil unless it begins with a slash and every brace encloses a whole segment.
    init?(_ pattern: String) {
        guard pattern.hasPrefix("/") else { return nil }
        var segments: [Segment] = []
        for part in pattern.dropFirst().split(separator: "/", omittingEmptySubsequences: false) {
            if part.hasPrefix("{"), part.hasSuffix("}"), part.count > 2 {
                segments.append(.parameter(String(part.dropFirst().dropLast())))
            } else if part.contains("{") || part.contains("}") {
                return nil
            } else {
                segments.append(.literal(String(part)))
            }
        }
        self.segments = segments
    }

    var isLiteral: Bool {
        segments.allSatisfy { if case .literal = $0 { true } else { false } }
    }

    /// The named segments' values; nil when the path doesn't match.
    func match(_ path: [String]) -> [String: String]? {
        guard path.count == segments.count else { return nil }
        var parameters: [String: String] = [:]
        for (segment, value) in zip(segments, path) {
            switch segment {
            case .literal(let text):
                guard text == value else { return nil }
            case .parameter(let name):
                guard !value.isEmpty else { return nil }
                parameters[name] = value
            }
        }
        return parameters
    }
}
