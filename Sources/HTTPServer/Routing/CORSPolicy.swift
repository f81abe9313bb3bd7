import HTTPWire

/// Which websites' scripts may read the answers (the CORS protocol of the Fetch standard, section 3.2). A browser
/// enforces it; other clients see fields that they have no use for. Credentials, as cookies are, are never allowed.
public struct CORSPolicy: Sendable {
    /// The origins that are allowed.
    public enum Origins: Sendable, Hashable {
        /// Every website.
        case any
        /// These alone, as browsers write them: scheme, host and, unless it is the scheme's own, port.
        case only(Set<String>)
    }

    /// How long a browser may keep a preflight's answer; no browser keeps it for longer than a day.
    public static let preflightLifetime = Duration.seconds(600)

    /// What scripts may read beside the fields that are safe for everybody.
    private static let exposedFields = "X-Request-Id, Server-Timing"

    /// The origins that are allowed.
    public let origins: Origins

    /// Makes a policy.
    public init(_ origins: Origins) {
        self.origins = origins
    }

    /// Whether text is an origin as browsers write it: `https://example.org` or `http://localhost:3000`, in lower case,
    /// without a path.
    public static func isOrigin(_ text: String) -> Bool {
        guard let separator = text.firstRange(of: "://") else { return false }
        let scheme = text[..<separator.lowerBound].utf8
        let authority = text[separator.upperBound...].utf8
        let isLetter = { (byte: UInt8) in (0x61...0x7A).contains(byte) }
        let isLetterOrDigit = { (byte: UInt8) in isLetter(byte) || (0x30...0x39).contains(byte) }
        return scheme.first.map(isLetter) == true
            && scheme.allSatisfy { isLetterOrDigit($0) || "+-.".utf8.contains($0) }
            && !authority.isEmpty && authority.allSatisfy { isLetterOrDigit($0) || "-._:[]".utf8.contains($0) }
    }

    /// Adds what lets a script read this response; nothing for an origin that isn't allowed.
    func allow(_ request: RequestHead?, toRead fields: inout HTTPFields) {
        let allowed = request.flatMap { allowedOrigin($0.fields) }
        if case .only = origins {
            // Also where there was no Origin: a cache must not give such an answer to a script.
            fields.addVary("Origin")
        }
        guard let allowed else { return }
        fields.set(.accessControlAllowOrigin, allowed)
        fields.set(.accessControlExposeHeaders, Self.exposedFields)
    }

    /// The fields that answer a browser's question before the request itself; none when this is no such question.
    /// - Parameter methods: The methods that the path answers to, as in Allow.
    func preflightFields(_ request: RequestHead, methods: String) -> HTTPFields {
        guard allowedOrigin(request.fields) != nil, request.fields.contains(.accessControlRequestMethod) else {
            return [:]
        }
        var fields: HTTPFields = [
            .accessControlAllowMethods: methods,
            .accessControlMaxAge: "\(Self.preflightLifetime.components.seconds)",
            .vary: "Access-Control-Request-Headers",
        ]
        // No field of a request is a danger here, where no browser sends credentials by itself: what is asked for is
        // allowed.
        let headers = request.fields.listElements(.accessControlRequestHeaders).filter { HTTPFieldName($0) != nil }
        if !headers.isEmpty {
            fields.append(.accessControlAllowHeaders, headers.joined(separator: ", "))
        }
        return fields
    }

    private func allowedOrigin(_ fields: HTTPFields) -> String? {
        guard let origin = fields[.origin] else { return nil }
        switch origins {
        case .any: return "*"
        case .only(let allowed): return allowed.contains(origin) ? origin : nil
        }
    }
}
