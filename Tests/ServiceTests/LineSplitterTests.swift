import Testing

@testable import Service

@Suite struct LineSplitterTests {
    /// The lines of a text that comes in two pieces, split at each position.
    private func lines(_ text: String, limit: Int = 100) -> Set<[LineSplitter.Line]> {
        let bytes = Array(text.utf8)
        return Set(
            (0...bytes.count).map { position in
                var splitter = LineSplitter(limit: limit)
                var lines: [LineSplitter.Line] = []
                for piece in [bytes[..<position], bytes[position...]] {
                    splitter.feed(Array(piece))
                    while let line = splitter.next() { lines.append(line) }
                }
                return lines + (splitter.finish().map { [$0] } ?? [])
            })
    }

    private func line(_ text: String) -> LineSplitter.Line { .line(Array(text.utf8)) }

    @Test func linesEndWithLFOrCRLFAndTheLastMayLackItsEnd() {
        #expect(lines("one\ntwo\r\nthree") == [[line("one"), line("two"), line("three")]])
        #expect(lines("one\n") == [[line("one")]])
    }

    @Test func emptyLinesAreLeftOut() {
        #expect(lines("\n\none\n\r\n\n") == [[line("one")]])
        #expect(lines("") == [[]])
    }

    @Test func aLineThatIsTooLongIsPassedOverAndTheNextIsRead() {
        #expect(lines("12345\n123456\n1", limit: 5) == [[line("12345"), .tooLong, line("1")]])
        #expect(lines("123456", limit: 5) == [[.tooLong]])
    }
}
