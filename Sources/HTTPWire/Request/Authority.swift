/// The grammar of a host and its port: `uri-host [ ":" *DIGIT ]` (RFC 9110 section 7.2, RFC 3986 section 3.2.2).
enum Authority {
    /// Whether the bytes are a host and perhaps a port. An empty host is none (RFC 9110 section 4.2.1), and a user's
    /// name before it, which serves to pass one host off as another, is refused (section 4.2.4).
    static func isValid(_ bytes: ArraySlice<UInt8>) -> Bool {
        guard let hostEnd = bytes.first == leftBracket ? literalEnd(bytes) : nameEnd(bytes) else { return false }
        let port = bytes[hostEnd...]
        return port.isEmpty || (port.first == ASCII.colon && port.dropFirst().allSatisfy(ASCII.isDigit))
    }

    private static let leftBracket = UInt8(ascii: "[")
    private static let rightBracket = UInt8(ascii: "]")
    private static let addressGroups = 8

    /// The end of a `reg-name` or an IPv4 address, whose grammar it includes; nil when it is empty or an escape is
    /// broken.
    private static func nameEnd(_ bytes: ArraySlice<UInt8>) -> Int? {
        let name = bytes.prefix { $0 != ASCII.colon }
        guard !name.isEmpty, name.allSatisfy({ isName($0) || $0 == ASCII.percent }) else { return nil }
        for mark in name.indices where name[mark] == ASCII.percent {
            guard name[(mark + 1)...].prefix(2).count(where: isHexadecimal) == 2 else { return nil }
        }
        return name.endIndex
    }

    /// The end of an `IP-literal`; nil when it is none.
    private static func literalEnd(_ bytes: ArraySlice<UInt8>) -> Int? {
        guard let bracket = bytes.firstIndex(of: rightBracket) else { return nil }
        let address = bytes[(bytes.startIndex + 1)..<bracket]
        return isIPv6(address) || isFutureAddress(address) ? bracket + 1 : nil
    }

    /// `IPv6address`: eight groups, or fewer around one `::`; the last two may be written as IPv4.
    private static func isIPv6(_ address: ArraySlice<UInt8>) -> Bool {
        guard let gap = address.indices.first(where: { address[$0...].starts(with: "::".utf8) }) else {
            return groups(address, mayEndInIPv4: true) == addressGroups
        }
        guard let before = groups(address[..<gap], mayEndInIPv4: false),
            let after = groups(address[(gap + 2)...], mayEndInIPv4: true)
        else { return false }
        return before + after < addressGroups
    }

    /// How many groups of 16 bits there are between the colons; nil when one of them is none.
    private static func groups(_ address: ArraySlice<UInt8>, mayEndInIPv4: Bool) -> Int? {
        guard !address.isEmpty else { return 0 }
        var parts = address.split(separator: ASCII.colon, omittingEmptySubsequences: false)
        var count = 0
        if mayEndInIPv4, let last = parts.last, isIPv4(last) {
            parts.removeLast()
            count = 2
        }
        guard parts.allSatisfy({ (1...4).contains($0.count) && $0.allSatisfy(isHexadecimal) }) else { return nil }
        return count + parts.count
    }

    private static func isIPv4(_ address: ArraySlice<UInt8>) -> Bool {
        let parts = address.split(separator: ASCII.dot, omittingEmptySubsequences: false)
        return parts.count == 4
            && parts.allSatisfy { part in
                guard (1...3).contains(part.count), part.allSatisfy(ASCII.isDigit) else { return false }
                guard part.count == 1 || part.first != ASCII.zero else { return false }
                return part.reduce(0) { $0 * 10 + Int($1 - ASCII.zero) } <= 255
            }
    }

    /// `IPvFuture`.
    private static func isFutureAddress(_ address: ArraySlice<UInt8>) -> Bool {
        guard let version = address.first, ASCII.lowercased(version) == UInt8(ascii: "v"),
            let dot = address.firstIndex(of: ASCII.dot)
        else { return false }
        let digits = address[(address.startIndex + 1)..<dot]
        let rest = address[(dot + 1)...]
        return !digits.isEmpty && digits.allSatisfy(isHexadecimal)
            && !rest.isEmpty && rest.allSatisfy { isName($0) || $0 == ASCII.colon }
    }

    private static func isHexadecimal(_ byte: UInt8) -> Bool {
        ASCII.hexadecimalValue(byte) != nil
    }

    /// `unreserved` and `sub-delims`, without the comma, which would make two of a list.
    private static func isName(_ byte: UInt8) -> Bool {
        ASCII.isAlphanumeric(byte) || "-._~!$&'()*+;=".utf8.contains(byte)
    }
}
