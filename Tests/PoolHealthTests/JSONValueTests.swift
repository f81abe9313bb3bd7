import Foundation
import Testing

@testable import PoolHealth

@Suite struct JSONValueTests {
    @Test func isReadByFoundation() throws {
        let value = JSONValue.object([
            ("text", .string("a \"quote\" \\ back\n\u{1}é")), ("number", .number(0.25)),
            ("infinite", .number(.infinity)),
            ("list", .array([.integer(1), .bool(true), .null])), ("empty", .object([])),
        ])
        let object = try #require(try JSONSerialization.jsonObject(with: Data(value.encoded())) as? [String: Any])
        #expect(object["text"] as? String == "a \"quote\" \\ back\n\u{1}é")
        #expect(object["number"] as? Double == 0.25)
        #expect(object["infinite"] is NSNull)
        #expect((object["list"] as? [Any])?.count == 3)
    }
}
