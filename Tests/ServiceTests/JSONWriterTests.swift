import Foundation
import Testing

@testable import Service

@Suite struct JSONWriterTests {
    private func text(_ write: (inout JSONWriter) -> Void) -> String {
        var json = JSONWriter()
        write(&json)
        return String(decoding: json.bytes, as: UTF8.self)
    }

    @Test func commasStandBetweenMembersAndElementsOnly() {
        let written = text { json in
            json.object { json in
                json.member("a", 1)
                json.member("absent", nil as String?)
                json.key("b")
                json.array([true, false]) { json, value in json.object { $0.member("c", value) } }
                json.key("d")
                json.object { _ in }
                json.key("e")
                json.array([Float]()) { $0.number($1) }
                json.member("f", "x")
            }
        }
        #expect(written == #"{"a":1,"b":[{"c":true},{"c":false}],"d":{},"e":[],"f":"x"}"#)
    }

    @Test(arguments: ["plain", "quote \" and \\", "line\nfeed\ttab", "\u{0}\u{1f}\u{7f}", "ümläut 🐈", "</script>"])
    func anyTextReadsBackTheSame(_ value: String) throws {
        let written = text { json in json.object { $0.member("value", value) } }
        let read = try JSONSerialization.jsonObject(with: Data(written.utf8)) as? [String: String]
        #expect(read == ["value": value])
    }

    @Test func numbersReadBackAsTheSameFloats() throws {
        let values: [Float] = [0, -0.0, 1, 0.1, -1e-7, 1.5e-38, 3.4e38, .leastNonzeroMagnitude, 16_777_216, 1 / 3]
        let written = text { json in json.array(values) { $0.number($1) } }
        let read = try #require(try JSONSerialization.jsonObject(with: Data(written.utf8)) as? [NSNumber])
        #expect(read.map { Float($0.doubleValue) } == values)
    }
}
