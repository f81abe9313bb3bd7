import Analysis
import Testing

@testable import Service

@Suite struct ImageEntryTests {
    private func item(_ json: String) -> (id: String?, bytes: [UInt8]?, error: ImageEntryError?) {
        switch ImageEntry.item(fromJSON: Array(json.utf8)) {
        case .image(let source): (source.id, source.bytes, nil)
        case .unreadable(let id, let error): (id, nil, error as? ImageEntryError)
        }
    }

    @Test func anEntryHasItsPictureInBase64() {
        let (id, bytes, error) = item(#"{"id":"a","base64":"aGVsbG8="}"#)
        #expect(id == "a")
        #expect(bytes == Array("hello".utf8))
        #expect(error == nil)
        #expect(item(#"{"base64":"aGVsbG8="}"#).id == nil)
    }

    @Test(arguments: [
        (#"{"id":"a"}"#, ImageEntryError.noPicture),
        (#"{"id":"a","base64":"%%%"}"#, .notBase64),
        (#"{"id":"a","base64":"aGVsbG8"}"#, .notBase64),
        (#"{"id":"a","url":"http://localhost/cat.jpg"}"#, .urlsNotRead),
        (#"{"id":7,"base64":"aGVsbG8="}"#, .notAnEntry("id has the wrong type")),
        (#"["a"]"#, .notAnEntry("the value has the wrong type")),
        ("{", .notAnEntry("it is not valid JSON")), ("", .notAnEntry("it is not valid JSON")),
        ("\u{0}\u{1}", .notAnEntry("it is not valid JSON")),
    ])
    func whatIsWrongIsNamed(json: String, expected: ImageEntryError) {
        #expect(item(json).error == expected)
    }

    @Test func theFormOfSeveralIsExplained() throws {
        let entries = try ImageEntries(json: Array(#"{"images":[{"id":"a","base64":"aGVsbG8="},{"id":"b"}]}"#.utf8))
        #expect(entries.items.count == 2)
        #expect(throws: EmbedRequestError.badJSON("there is no images")) { try ImageEntries(json: Array("{}".utf8)) }
        #expect(throws: EmbedRequestError.badJSON("images[0].id has the wrong type")) {
            try ImageEntries(json: Array(#"{"images":[{"id":1}]}"#.utf8))
        }
    }
}
