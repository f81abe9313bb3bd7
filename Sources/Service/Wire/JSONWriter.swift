import HTTPServer

/// Writes JSON (RFC 8259) straight into bytes, members in the order in which they are given.
///
/// Foundation's encoder orders keys by chance or by the alphabet, and takes many times as long for a thousand numbers.
struct JSONWriter {
    /// What has been written.
    private(set) var bytes: [UInt8] = []
    /// Whether the next value of the innermost object or array needs a comma before it.
    private var needsComma = false

    mutating func object(_ members: (inout JSONWriter) -> Void) {
        open("{")
        members(&self)
        close("}")
    }

    mutating func array<Elements: Sequence>(
        _ elements: Elements, _ element: (inout JSONWriter, Elements.Element) -> Void
    ) {
        open("[")
        for value in elements { element(&self, value) }
        close("]")
    }

    /// A member's name; its value comes next.
    mutating func key(_ name: String) {
        beginValue()
        JSONText.append(name, to: &bytes)
        bytes.append(UInt8(ascii: ":"))
        needsComma = false
    }

    /// A member that is left out if there is nothing to say.
    mutating func member(_ name: String, _ value: String?) {
        guard let value else { return }
        key(name)
        string(value)
    }

    /// A member that is left out if there is nothing to say.
    mutating func member(_ name: String, _ value: Int?) {
        guard let value else { return }
        key(name)
        raw("\(value)".utf8)
    }

    /// A finite number that is left out if there is nothing to say.
    mutating func member(_ name: String, _ value: Float?) {
        guard let value else { return }
        key(name)
        number(value)
    }

    mutating func member(_ name: String, _ value: Bool) {
        key(name)
        raw("\(value)".utf8)
    }

    mutating func string(_ text: String) {
        beginValue()
        JSONText.append(text, to: &bytes)
        needsComma = true
    }

    /// A finite number, in the shortest digits that read back as the same float.
    mutating func number(_ value: Float) {
        beginValue()
        // A block of bytes instead of one by one: vectors have a thousand numbers.
        var digits = value.description
        digits.withUTF8 { bytes.append(contentsOf: $0) }
        needsComma = true
    }

    /// A value that is JSON already.
    mutating func raw(_ json: some Sequence<UInt8>) {
        beginValue()
        bytes.append(contentsOf: json)
        needsComma = true
    }

    private mutating func beginValue() {
        if needsComma { bytes.append(UInt8(ascii: ",")) }
    }

    private mutating func open(_ bracket: Character) {
        beginValue()
        bytes.append(contentsOf: bracket.utf8)
        needsComma = false
    }

    private mutating func close(_ bracket: Character) {
        bytes.append(contentsOf: bracket.utf8)
        needsComma = true
    }
}
