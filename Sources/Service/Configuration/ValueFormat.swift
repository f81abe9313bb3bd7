import Glibc
import HTTPServer

/// How one kind of setting is read and written.
struct ValueFormat<Value: Sendable>: Sendable {
    /// What is allowed, in words, for the message that refuses anything else.
    let allowed: String
    /// The value, or nil for what is not allowed.
    let read: @Sendable (ConfigurationValue) -> Value?
    /// The value in the form that `read` reads back.
    let write: @Sendable (Value) -> ConfigurationValue
}

extension ValueFormat where Value == Int {
    static func integer(_ range: ClosedRange<Int>) -> ValueFormat {
        ValueFormat(
            allowed: "a whole number from \(range.lowerBound) to \(range.upperBound)",
            read: { value in
                let number: Int? =
                    switch value {
                    case .integer(let number): number
                    case .text(let text): Int(text)
                    default: nil
                    }
                return number.flatMap { range.contains($0) ? $0 : nil }
            },
            write: { .integer($0) })
    }
}

extension ValueFormat where Value == String {
    /// A numeric address; names would be asked for only at the start, and may mean several addresses.
    static let address = ValueFormat(
        allowed: "an IPv4 or IPv6 address",
        read: { value in
            guard case .text(let text) = value else { return nil }
            var storage = in6_addr()
            let isAddress = [AF_INET, AF_INET6].contains { inet_pton($0, text, &storage) == 1 }
            return isAddress ? text : nil
        },
        write: { .text($0) })

    /// A folder's name that can't lead out of the folder it is looked for in.
    static let modelName = ValueFormat(
        allowed: "a model's name: of a-z, 0-9, '.', '_' and '-', not beginning with a dot",
        read: { value in
            guard case .text(let text) = value, text.wholeMatch(of: /[a-z0-9_-][a-z0-9._-]{0,63}/) != nil else {
                return nil
            }
            return text
        },
        write: { .text($0) })

    /// Any text, empty only where `optional` says so.
    static func text(_ meaning: String, optional: Bool = false) -> ValueFormat {
        ValueFormat(
            allowed: meaning,
            read: { value in
                guard case .text(let text) = value, optional || !text.isEmpty else { return nil }
                return text
            },
            write: { .text($0) })
    }
}

extension ValueFormat where Value == Bool {
    static var boolean: ValueFormat {
        ValueFormat(
            allowed: "true or false",
            read: { value in
                switch value {
                case .boolean(let flag): flag
                case .text(let text): Bool(text)
                default: nil
                }
            },
            write: { .boolean($0) })
    }
}

extension ValueFormat where Value == [String] {
    /// A list of web origins, none twice, or of the asterisk alone; as text they are separated by commas.
    static var origins: ValueFormat {
        ValueFormat(
            allowed: "a list of origins like \"https://example.org\", or of \"*\" alone",
            read: { value in
                guard let elements = value.elements else { return nil }
                let origins = elements.compactMap { if case .text(let text) = $0 { text } else { nil } }
                guard origins.count == elements.count, Set(origins).count == origins.count else { return nil }
                return origins == ["*"] || origins.allSatisfy(CORSPolicy.isOrigin) ? origins : nil
            },
            write: { .list($0.map { .text($0) }) })
    }
}

extension ValueFormat where Value == ByteCount {
    static func byteCount(_ range: ClosedRange<Int>) -> ValueFormat {
        let lower = ByteCount(bytes: range.lowerBound).text
        let upper = ByteCount(bytes: range.upperBound).text
        return ValueFormat(
            allowed: "a number of bytes from \(lower) to \(upper), with or without KiB, MiB or GiB",
            read: { value in
                let count: ByteCount? =
                    switch value {
                    case .integer(let bytes): ByteCount(bytes: bytes)
                    case .text(let text): ByteCount(text: text)
                    default: nil
                    }
                return count.flatMap { range.contains($0.bytes) ? $0 : nil }
            },
            write: { .text($0.text) })
    }
}

extension ValueFormat where Value == Duration {
    static func duration(_ range: ClosedRange<Duration>) -> ValueFormat {
        ValueFormat(
            allowed: "a time from \(range.lowerBound.text) to \(range.upperBound.text), with the unit ms, s or m",
            read: { value in
                guard case .text(let text) = value, let duration = Duration(text: text) else { return nil }
                return range.contains(duration) ? duration : nil
            },
            write: { .text($0.text) })
    }
}

extension ValueFormat where Value: RawRepresentable & CaseIterable & Equatable, Value.RawValue == String {
    /// One of the cases, or of those that are named.
    static func choice(of cases: [Value] = Array(Value.allCases)) -> ValueFormat {
        ValueFormat(
            allowed: "one of " + cases.map(\.rawValue).joined(separator: ", "),
            read: { value in
                guard case .text(let text) = value else { return nil }
                return cases.first { $0.rawValue == text }
            },
            write: { .text($0.rawValue) })
    }

    /// A list of the cases, none twice; as text they are separated by commas.
    static func choices(of cases: [Value]) -> ValueFormat<[Value]> {
        ValueFormat<[Value]>(
            allowed: "a list of " + cases.map(\.rawValue).joined(separator: ", "),
            read: { value in
                guard let names = value.elements else { return nil }
                let chosen = names.compactMap { choice(of: cases).read($0) }
                guard chosen.count == names.count, !chosen.isEmpty else { return nil }
                guard Set(chosen.map(\.rawValue)).count == chosen.count else { return nil }
                return chosen
            },
            write: { .list($0.map { .text($0.rawValue) }) })
    }
}
