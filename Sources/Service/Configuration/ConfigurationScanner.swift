/// Finds the place of what is wrong with a configuration file, which Foundation's decoder keeps to itself, and keys
/// that stand there twice, of which it would take the first without a word.
///
/// Walks through the text as JSON5 (json5.org) without making values of it. The decoder decides what is valid: this is
/// asked only for the line.
struct ConfigurationScanner {
    /// What is wrong, and where.
    struct Fault: Error, Equatable, CustomStringConvertible {
        /// From 1.
        let line: Int
        let reason: String
        /// Whether it is a repeated key, which the decoder accepts.
        var isRepetition = false

        var description: String { "line \(line): \(reason)" }
    }

    /// As deep as the decoder goes.
    private static let deepest = 512
    private static let literals: Set<String> = ["true", "false", "null", "Infinity", "NaN"]
    private static let delimiters = Set(" \t\r\n,:{}[]/\"'".utf8)

    private let bytes: [UInt8]
    private var index = 0

    private init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// The first fault; nil if there is none that can be told.
    static func firstFault(in text: some Sequence<UInt8>) -> Fault? {
        var scanner = ConfigurationScanner(Array(text))
        do throws(Fault) {
            try scanner.value(at: [])
            try scanner.skip()
            guard scanner.next == nil else { throw scanner.fault("there is something behind the end") }
            return nil
        } catch {
            return error
        }
    }

    private var next: UInt8? { index < bytes.count ? bytes[index] : nil }

    private func fault(_ reason: String, isRepetition: Bool = false) -> Fault {
        let line = 1 + bytes[..<index].count { $0 == UInt8(ascii: "\n") }
        return Fault(line: line, reason: reason, isRepetition: isRepetition)
    }

    private mutating func take(_ character: Unicode.Scalar) -> Bool {
        guard next == UInt8(ascii: character) else { return false }
        index += 1
        return true
    }

    /// Passes over blanks and comments.
    private mutating func skip() throws(Fault) {
        while let byte = next {
            if " \t\r\n".utf8.contains(byte) {
                index += 1
            } else if bytes[index...].starts(with: "//".utf8) {
                index = bytes[index...].firstIndex(of: UInt8(ascii: "\n")) ?? bytes.count
            } else if bytes[index...].starts(with: "/*".utf8) {
                guard let end = bytes[(index + 2)...].firstRange(of: Array("*/".utf8)) else {
                    throw fault("the comment has no end")
                }
                index = end.upperBound
            } else {
                return
            }
        }
    }

    private mutating func value(at path: [String]) throws(Fault) {
        guard path.count < Self.deepest else { throw fault("too many levels") }
        try skip()
        if take("{") {
            try members(of: path)
        } else if take("[") {
            try elements(of: path)
        } else if next == UInt8(ascii: "\"") || next == UInt8(ascii: "'") {
            _ = try text()
        } else {
            let word = word()
            guard let first = word.utf8.first else { throw fault("a value is missing") }
            guard Self.literals.contains(word) || "+-.0123456789".utf8.contains(first) else {
                throw fault("\(word) is no value; text stands in quotation marks")
            }
        }
    }

    private mutating func members(of path: [String]) throws(Fault) {
        var keys: Set<String> = []
        while true {
            try skip()
            if take("}") { return }
            let isQuoted = next == UInt8(ascii: "\"") || next == UInt8(ascii: "'")
            let key = isQuoted ? try text() : word()
            guard isQuoted || !key.isEmpty else { throw fault("a key or } is missing") }
            let inner = path + [key]
            guard keys.insert(key).inserted else {
                throw fault("\(inner.joined(separator: ".")) is there twice", isRepetition: true)
            }
            try skip()
            guard take(":") else { throw fault("a : is missing behind \(key)") }
            try value(at: inner)
            try skip()
            if take("}") { return }
            guard take(",") else { throw fault("a comma or } is missing behind \(inner.joined(separator: "."))") }
        }
    }

    private mutating func elements(of path: [String]) throws(Fault) {
        while true {
            try skip()
            if take("]") { return }
            try value(at: path + ["[]"])
            try skip()
            if take("]") { return }
            guard take(",") else { throw fault("a comma or ] is missing") }
        }
    }

    /// What stands between quotation marks, as it is written there.
    private mutating func text() throws(Fault) -> String {
        let mark = bytes[index]
        let start = index + 1
        var end = start
        while end < bytes.count, bytes[end] != mark {
            // A line ends a text, but for one behind a backslash.
            guard bytes[end] != UInt8(ascii: "\n") else { throw fault("a quotation mark is missing") }
            end += bytes[end] == UInt8(ascii: "\\") ? 2 : 1
        }
        guard end < bytes.count else { throw fault("a quotation mark is missing") }
        index = end + 1
        return String(decoding: bytes[start..<end], as: UTF8.self)
    }

    private mutating func word() -> String {
        let rest = bytes[index...]
        let end = rest.firstIndex { Self.delimiters.contains($0) } ?? bytes.count
        defer { index = end }
        return String(decoding: bytes[index..<end], as: UTF8.self)
    }
}
