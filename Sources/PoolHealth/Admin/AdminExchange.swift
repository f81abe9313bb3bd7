import HTTPWire

/// One request and its answer: bytes in, bytes out, no I/O. Each connection has one: the answer closes it.
struct AdminExchange {
    /// Small, since nothing that is asked here has much to say.
    private static let limits = RequestLimits(requestLineBytes: 4_096, fieldSectionBytes: 16_384, fieldCount: 64)

    private let routes: [AdminRoute]
    private var parser = RequestParser(limits: Self.limits)

    init(routes: [AdminRoute]) {
        self.routes = routes
    }

    /// Takes what came in; the whole response once the head is complete or refused. A body is never looked at.
    mutating func receive(_ bytes: Span<UInt8>, date: String) -> [UInt8]? {
        do {
            guard let head = try parser.parse(bytes).head else { return nil }
            let request = AdminRequest(head: head)
            return Self.encode(answer(request), method: head.method, version: head.version, date: date)
        } catch {
            let response = AdminResponse.text(error.explanation + "\n", status: error.status)
            return Self.encode(response, method: nil, version: .http11, date: date)
        }
    }

    private func answer(_ request: AdminRequest) -> (AdminResponse, allowed: String?) {
        let here = routes.filter { $0.path == request.head.target.path }
        guard !here.isEmpty else { return (.text("no such page\n", status: .notFound), nil) }
        let method = request.head.method == .head ? HTTPMethod.get : request.head.method
        guard let route = here.first(where: { $0.method == method }) else {
            let allowed = here.map { $0.method == .get ? "GET, HEAD" : $0.method.name }.joined(separator: ", ")
            return (.text("only \(allowed) here\n", status: .methodNotAllowed), allowed)
        }
        return (route.answer(request), nil)
    }

    private static func encode(
        _ answer: (AdminResponse, allowed: String?), method: HTTPMethod?, version: HTTPVersion, date: String
    ) -> [UInt8] {
        encode(answer.0, allowed: answer.allowed, method: method, version: version, date: date)
    }

    private static func encode(
        _ response: AdminResponse, allowed: String? = nil, method: HTTPMethod?, version: HTTPVersion, date: String
    ) -> [UInt8] {
        var fields: HTTPFields = ["Content-Type": response.contentType, "Cache-Control": "no-store"]
        fields.append("X-Content-Type-Options", "nosniff")
        if let allowed { fields.append(.allow, allowed) }
        let framing = ResponseFraming(
            status: response.status, contentLength: response.body.count, method: method, version: version)
        var output: [UInt8] = []
        ResponseEncoder.appendHead(
            status: response.status, fields: fields, framing: framing, version: version, persists: false, date: date,
            to: &output)
        if framing.sendsContent { output += response.body }
        return output
    }
}
