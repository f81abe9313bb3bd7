/// A flag of the command line with its value.
struct Flag: Equatable, Sendable {
    /// Without the two dashes.
    let name: String
    /// What stands behind the equals sign, or as the next word.
    let value: String

    /// Splits the words behind the command into flags; each takes a value.
    ///
    /// - Throws: `ConfigurationError.badArgument` for a word that is no flag, and for a flag without its value.
    static func parse(_ words: [String]) throws(ConfigurationError) -> [Flag] {
        var flags: [Flag] = []
        var rest = words[...]
        while let word = rest.popFirst() {
            guard word.hasPrefix("--") else {
                throw .badArgument(word, reason: "not a flag; flags look like --server.port 9000")
            }
            let body = word.dropFirst(2)
            if let equals = body.firstIndex(of: "=") {
                flags.append(Flag(name: String(body[..<equals]), value: String(body[body.index(after: equals)...])))
            } else if let value = rest.popFirst() {
                flags.append(Flag(name: String(body), value: value))
            } else {
                throw .badArgument(word, reason: "its value is missing")
            }
        }
        return flags
    }
}
