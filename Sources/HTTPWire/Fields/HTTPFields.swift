/// Header fields in the order and spelling they came in, compared without case (RFC 9110 section 5).
///
/// All names and values live in one byte buffer and are turned into strings only when somebody asks: a request costs
/// two allocations however many fields it has. Neither a name nor a value can hold CR, LF, NUL or another control
/// character, whatever was put in, so a response made of them can't be split.
public struct HTTPFields: Sendable {
    /// Where a field's name and value stand in `storage`.
    struct Entry: Sendable {
        let name: Range<Int>
        let value: Range<Int>
    }

    private var storage: [UInt8]
    private var entries: [Entry]

    /// Makes an empty list.
    public init() {
        storage = []
        entries = []
    }

    /// Takes over the bytes of a parsed head; the parser has validated what the entries point at.
    init(storage: [UInt8], entries: [Entry]) {
        self.storage = storage
        self.entries = entries
    }

    /// How many field lines there are.
    public var count: Int { entries.count }

    /// Whether there is no field.
    public var isEmpty: Bool { entries.isEmpty }

    /// The value of the first field of that name, nil when there is none. Bytes that aren't UTF-8 read as U+FFFD.
    public subscript(_ name: HTTPFieldName) -> String? {
        firstEntry(name).map { text($0.value) }
    }

    /// The values of all fields of that name, in order.
    public func values(_ name: HTTPFieldName) -> [String] {
        entries.filter { matches($0, name) }.map { text($0.value) }
    }

    /// The elements of a comma-separated list field, over all of its lines, trimmed, empty ones left out
    /// (RFC 9110 section 5.6.1). Doesn't understand quoted strings.
    public func listElements(_ name: HTTPFieldName) -> [String] {
        guard firstEntry(name) != nil else { return [] }
        return values(name).flatMap { value in
            value.utf8.split(separator: ASCII.comma).map { element in
                let start = element.firstIndex { $0 != ASCII.space && $0 != ASCII.tab } ?? element.endIndex
                let end = element.lastIndex { $0 != ASCII.space && $0 != ASCII.tab }.map(element.index(after:))
                return String(Substring(element[start..<(end ?? start)]))
            }
        }.filter { !$0.isEmpty }
    }

    /// Whether there is a field of that name.
    public func contains(_ name: HTTPFieldName) -> Bool {
        firstEntry(name) != nil
    }

    /// How many fields of that name there are.
    public func count(_ name: HTTPFieldName) -> Int {
        entries.reduce(0) { matches($1, name) ? $0 + 1 : $0 }
    }

    /// Adds a field after the others. A control character in the value becomes a space (RFC 9110 section 5.5), so that
    /// no value can end its line.
    public mutating func append(_ name: HTTPFieldName, _ value: String) {
        let nameStart = storage.count
        storage.append(contentsOf: name.spelling.utf8)
        let valueStart = storage.count
        storage.append(contentsOf: value.utf8.lazy.map { ASCII.isFieldContent($0) ? $0 : ASCII.space })
        entries.append(Entry(name: nameStart..<valueStart, value: valueStart..<storage.count))
    }

    /// Replaces every field of that name by one, put after the others.
    public mutating func set(_ name: HTTPFieldName, _ value: String) {
        remove(name)
        append(name, value)
    }

    /// Removes every field of that name.
    public mutating func remove(_ name: HTTPFieldName) {
        entries = entries.filter { !matches($0, name) }
    }

    /// All fields as pairs of name and value, in order.
    public var pairs: [(name: String, value: String)] {
        entries.map { (text($0.name), text($0.value)) }
    }

    /// Writes the field lines, each ended by CRLF, leaving out the named ones.
    func encode(into output: inout [UInt8], omitting omitted: [HTTPFieldName]) {
        for entry in entries where !omitted.contains(where: { matches(entry, $0) }) {
            output.append(contentsOf: storage[entry.name])
            output.append(ASCII.colon)
            output.append(ASCII.space)
            output.append(contentsOf: storage[entry.value])
            output.append(ASCII.carriageReturn)
            output.append(ASCII.lineFeed)
        }
    }

    /// The first field's value as bytes.
    func firstValue(_ name: HTTPFieldName) -> ArraySlice<UInt8>? {
        firstEntry(name).map { storage[$0.value] }
    }

    private func firstEntry(_ name: HTTPFieldName) -> Entry? {
        entries.first { matches($0, name) }
    }

    private func matches(_ entry: Entry, _ name: HTTPFieldName) -> Bool {
        let wanted = name.spelling.utf8
        guard entry.name.count == wanted.count else { return false }
        var position = entry.name.lowerBound
        for byte in wanted {
            guard ASCII.lowercased(storage[position]) == ASCII.lowercased(byte) else { return false }
            position += 1
        }
        return true
    }

    private func text(_ range: Range<Int>) -> String {
        String(decoding: storage[range], as: UTF8.self)
    }
}

extension HTTPFields: Equatable {
    /// Same fields in the same order: names without case, values byte by byte.
    public static func == (left: HTTPFields, right: HTTPFields) -> Bool {
        left.entries.elementsEqual(right.entries) { leftEntry, rightEntry in
            left.storage[leftEntry.value] == right.storage[rightEntry.value]
                && left.storage[leftEntry.name].elementsEqual(right.storage[rightEntry.name]) {
                    ASCII.lowercased($0) == ASCII.lowercased($1)
                }
        }
    }
}

extension HTTPFields: ExpressibleByDictionaryLiteral {
    /// Makes the list from a literal, in the order written.
    public init(dictionaryLiteral elements: (HTTPFieldName, String)...) {
        self.init()
        for (name, value) in elements {
            append(name, value)
        }
    }
}
