import Analysis
import Scheduling
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
        #expect(try entries(#"{"images":[{"id":"a","base64":"aGVsbG8="},{"id":"b"}]}"#).items.count == 2)
        #expect(throws: EmbedRequestError.badJSON("there is no images")) { try entries("{}") }
        #expect(throws: EmbedRequestError.badJSON("images[0].id has the wrong type")) {
            try entries(#"{"images":[{"id":1}]}"#)
        }
        #expect(throws: EmbedRequestError.badJSON("it is not valid JSON")) { try entries(#"{"images":[{}"#) }
        #expect(throws: EmbedRequestError.badJSON("it is not valid JSON")) {
            // UTF-16, which JSON between systems must not be in (RFC 8259 section 8.1).
            try ImageEntries(
                json: #"{"images":[]}"#.utf16.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8($0 >> 8)] },
                cancellation: CancellationFlag())
        }
    }

    private func entries(_ json: String, cancellation: CancellationFlag = CancellationFlag()) throws -> ImageEntries {
        try ImageEntries(json: Array(json.utf8), cancellation: cancellation)
    }

    private func body(of count: Int, _ entry: String = "{}") -> String {
        #"{"images":["# + Array(repeating: entry, count: count).joined(separator: ",") + "]}"
    }

    @Test func aBodyHasAsManyPicturesAsAMultipartBodyHasParts() throws {
        #expect(try entries(body(of: 1_000)).items.count == 1_000)
        for tooMany in [1_001, 2_000, 1_000_000] {
            #expect(throws: EmbedRequestError.tooManyImages(limit: 1_000)) { try entries(body(of: tooMany)) }
        }
        // The one that is too many is not even looked at.
        #expect(throws: EmbedRequestError.tooManyImages(limit: 1_000)) {
            try entries(String(body(of: 1_000).dropLast(2)) + ",7]}")
        }
    }

    @Test func nobodyReadsOnForAClientThatHasLeft() throws {
        let flag = CancellationFlag()
        flag.cancel()
        #expect(throws: CancellationError.self) { try entries(body(of: 1), cancellation: flag) }
    }

    @Test(arguments: [(#"{"a":["#, "{},"), ("", "["), ("[", "0,"), ("", #"{"":"#)])
    func aTextOfVeryManyValuesIsNotDecodedAtAll(beginning: String, repeated: String) {
        let json = beginning + String(repeating: repeated, count: 100_000)
        #expect(JSONSize(of: Array(json.utf8)) == .tooManyValues)
        #expect(item(json).error == .notAnEntry("it has more than 64000 values"))
        #expect(throws: EmbedRequestError.tooManyImages(limit: 1_000)) { try entries(json) }
    }

    @Test func whatStandsInAStringIsNoValue() {
        let marks = String(repeating: "{[,:", count: 50_000)
        #expect(JSONSize(of: Array(#"{"id":"\#(marks)\"\#(marks)\\","a":1}"#.utf8)) == .decodable)
        // After the string's end, behind a backslash that is escaped itself, they count.
        #expect(JSONSize(of: Array(#"{"id":"\\"\#(marks)"#.utf8)) == .tooManyValues)
    }
}
