import Foundation
import TestSupport
import Testing

@testable import Service

@Suite struct ConfigurationScannerTests {
    private func fault(_ text: String) -> String? {
        ConfigurationScanner.firstFault(in: text.utf8)?.description
    }

    @Test func theDocumentedFileHasNoFault() throws {
        let file = try String(contentsOf: packageRoot.appending(path: "config/embedd.json5"), encoding: .utf8)
        #expect(fault(file) == nil)
    }

    @Test(arguments: [
        "{}", "{a: 1,}", "{a: [1, 'x', \"y\", true, null, -Infinity, .5, 0x1F,],}", "/* c */ {a /* b */ : // d\n 1}\n",
        "{'a b': \"with } and , and \\\" inside\", $c_1: {d: {}}}", "{a: \"two \\\n lines\"}",
    ])
    func whatIsValidHasNoFault(text: String) {
        #expect(fault(text) == nil)
    }

    @Test(arguments: [
        ("", "line 1: a value is missing"), ("{server: ", "line 1: a value is missing"),
        ("{\n server: {\n port: 1 host: 2}}", "line 3: a comma or } is missing behind server.port"),
        ("{\n a: nul\n}", "line 2: nul is no value; text stands in quotation marks"),
        ("{\n\n a 1}", "line 3: a : is missing behind a"), ("{\n , }", "line 2: a key or } is missing"),
        ("{a: [1\n 2]}", "line 2: a comma or ] is missing"), ("{a: 'x\n'}", "line 1: a quotation mark is missing"),
        ("{a: \"x\\", "line 1: a quotation mark is missing"), ("{a: 1 /* \n", "line 1: the comment has no end"),
        ("{a: 1}\n}", "line 2: there is something behind the end"),
        ("{a: 1,\n b: 2,\n a: 3}", "line 3: a is there twice"),
        ("{a: {b: 1,\n 'b': 3}}", "line 2: a.b is there twice"),
    ])
    func aFaultIsToldWithItsLine(text: String, fault expected: String) {
        #expect(fault(text) == expected)
    }

    @Test func aDeepTextHasAnEnd() {
        #expect(fault(String(repeating: "[", count: 100_000)) == "line 1: too many levels")
    }

    /// It never finds a fault in what the decoder takes, but for a key that is there twice.
    @Test func agreesWithTheDecoderOnDamagedFiles() throws {
        let file = Array(try Data(contentsOf: packageRoot.appending(path: "config/embedd.json5")))
        let decoder = JSONDecoder()
        decoder.allowsJSON5 = true
        var random = SeededGenerator(seed: 7)
        for _ in 0..<300 {
            var damaged = file
            for _ in 0..<Int.random(in: 1...3, using: &random) {
                let index = damaged.indices.randomElement(using: &random) ?? 0
                if Bool.random(using: &random) {
                    damaged.remove(at: index)
                } else {
                    damaged[index] = damaged.randomElement(using: &random) ?? 0
                }
            }
            guard let fault = ConfigurationScanner.firstFault(in: damaged), !fault.isRepetition else { continue }
            #expect(throws: (any Error).self, "\(fault): \(String(decoding: damaged, as: UTF8.self))") {
                try decoder.decode(ConfigurationValue.self, from: Data(damaged))
            }
        }
    }
}
