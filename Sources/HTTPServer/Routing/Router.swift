import HTTPWire

/// Finds the route of a request. Literal patterns go before those with names; among these the first one listed wins.
public struct Router: Sendable {
    /// The name that stands for requests without a route in metrics and the log.
    public static let unmatchedName = "unmatched"

    /// Why routes don't make a router.
    public enum ConfigurationError: Error, Hashable, Sendable {
        /// The pattern doesn't begin with a slash, or a brace doesn't enclose a whole segment.
        case invalidPattern(String)
        /// Two routes have the same method and pattern.
        case duplicateRoute(method: String, pattern: String)
    }

    /// What the router says about a request.
    enum Match {
        case route(Route, parameters: [String: String])
        /// OPTIONS for a path that exists, or for the whole server.
        case options(allowed: String)
        case notFound
        case methodNotAllowed(allowed: String)
        case methodNotImplemented

        var routeName: String {
            guard case .route(let route, _) = self else { return Router.unmatchedName }
            return route.name
        }
    }

    /// All routes of one pattern.
    private struct Resource: Sendable {
        let pattern: PathPattern
        var routes: [Route]

        func route(for method: HTTPMethod) -> Route? {
            routes.first { $0.method == method } ?? (method == .head ? routes.first { $0.method == .get } : nil)
        }

        var allowed: String {
            var names = routes.map(\.method.name)
            if names.contains("GET"), !names.contains("HEAD") {
                names.append("HEAD")
            }
            if !names.contains("OPTIONS") {
                names.append("OPTIONS")
            }
            return names.joined(separator: ", ")
        }
    }

    /// The routes, as they were given.
    public let routes: [Route]
    private var literals: [String: Resource] = [:]
    private var patterns: [Resource] = []

    /// Makes a router.
    /// - Throws: `ConfigurationError` for a mistake in the program.
    public init(_ routes: [Route]) throws(ConfigurationError) {
        self.routes = routes
        for (pattern, routes) in Self.grouped(routes) {
            guard let path = PathPattern(pattern) else { throw .invalidPattern(pattern) }
            for (index, route) in routes.enumerated()
            where routes[..<index].contains(where: { $0.method == route.method }) {
                throw .duplicateRoute(method: route.method.name, pattern: pattern)
            }
            let resource = Resource(pattern: path, routes: routes)
            if path.isLiteral {
                literals[pattern] = resource
            } else {
                patterns.append(resource)
            }
        }
    }

    func match(_ head: RequestHead) -> Match {
        guard head.method.isImplementable else { return .methodNotImplemented }
        if head.target.form == .asterisk {
            return .options(allowed: "GET, HEAD, POST, PUT, DELETE, OPTIONS, PATCH")
        }
        guard let (resource, parameters) = resource(for: head.target) else { return .notFound }
        if let route = resource.route(for: head.method) {
            return .route(route, parameters: parameters)
        }
        return head.method == .options
            ? .options(allowed: resource.allowed) : .methodNotAllowed(allowed: resource.allowed)
    }

    private func resource(for target: RequestTarget) -> (Resource, [String: String])? {
        if let resource = literals[target.rawPath] { return (resource, [:]) }
        let segments = target.pathSegments
        for resource in patterns {
            if let parameters = resource.pattern.match(segments) { return (resource, parameters) }
        }
        // A literal path may have been sent with escapes that it doesn't need.
        guard target.rawPath.utf8.contains(UInt8(ascii: "%")) else { return nil }
        return literals.values.first { $0.pattern.match(segments) != nil }.map { ($0, [:]) }
    }

    private static func grouped(_ routes: [Route]) -> [(String, [Route])] {
        var groups: [(String, [Route])] = []
        for route in routes {
            if let index = groups.firstIndex(where: { $0.0 == route.pattern }) {
                groups[index].1.append(route)
            } else {
                groups.append((route.pattern, [route]))
            }
        }
        return groups
    }
}
