/// The `;name=value` list behind the first item of several header fields (RFC 9110, section 5.6.6).
enum HeaderParameters {
    /// What a backslash in a quoted value means.
    enum Backslash {
        /// The next character stands for itself, whatever it is (RFC 9110, section 5.6.4).
        case escapesAnything
        /// Only before a quote or a backslash; elsewhere it is itself, because some clients send `"C:\cats\a.jpg"`.
        case escapesQuoteAndItself
    }

    /// A parameter with its name in lower case.
    struct Parameter {
        let name: String
        let value: String
    }

    /// Nil if the list is malformed or names a parameter twice.
    static func parse(_ bytes: ArraySlice<UInt8>, backslash: Backslash) -> [Parameter]? {
        var rest = bytes
        var parameters: [Parameter] = []
        skipWhitespace(&rest)
        while let first = rest.first {
            guard first == UInt8(ascii: ";") else { return nil }
            rest.removeFirst()
            skipWhitespace(&rest)
            if rest.isEmpty || rest.first == UInt8(ascii: ";") { continue }
            guard let parameter = takeParameter(&rest, backslash: backslash),
                !parameters.contains(where: { $0.name == parameter.name })
            else { return nil }
            parameters.append(parameter)
            skipWhitespace(&rest)
        }
        return parameters
    }

    /// Takes the longest token off the front; nil if there is none (RFC 9110, section 5.6.2).
    static func takeToken(_ rest: inout ArraySlice<UInt8>) -> String? {
        let token = rest.prefix(while: isTokenCharacter)
        guard !token.isEmpty else { return nil }
        rest = rest[token.endIndex...]
        return String(decoding: token, as: UTF8.self)
    }

    static func skipWhitespace(_ rest: inout ArraySlice<UInt8>) {
        rest = rest.drop { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
    }

    private static func takeParameter(_ rest: inout ArraySlice<UInt8>, backslash: Backslash) -> Parameter? {
        guard let name = takeToken(&rest), rest.popFirst() == UInt8(ascii: "=") else { return nil }
        let value =
            rest.first == UInt8(ascii: "\"") ? takeQuotedString(&rest, backslash: backslash) : takeToken(&rest)
        return value.map { Parameter(name: name.lowercased(), value: $0) }
    }

    private static func takeQuotedString(_ rest: inout ArraySlice<UInt8>, backslash: Backslash) -> String? {
        rest.removeFirst()
        var value: [UInt8] = []
        while let byte = rest.popFirst() {
            switch byte {
            case UInt8(ascii: "\""):
                return String(decoding: value, as: UTF8.self)
            case UInt8(ascii: "\\"):
                guard let next = rest.first else { return nil }
                if backslash == .escapesAnything || next == UInt8(ascii: "\"") || next == UInt8(ascii: "\\") {
                    rest.removeFirst()
                    value.append(next)
                } else {
                    value.append(byte)
                }
            default:
                value.append(byte)
            }
        }
        return nil
    }

    private static func isTokenCharacter(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default:
            "!#$%&'*+-.^_`|~".utf8.contains(byte)
        }
    }
}
