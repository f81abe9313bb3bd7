import HTTPWire
import Testing

struct MediaTypeTests {
    @Test func partsAreReadCaseInsensitively() throws {
        let type = try #require(MediaType("Multipart/Form-Data; Charset=UTF-8 ;BOUNDARY=\"a b;c=\\\"d\\\\\\e\""))
        #expect(type.type == "multipart")
        #expect(type.subtype == "form-data")
        #expect(type.essence == "multipart/form-data")
        #expect(type.parameters.map(\.name) == ["charset", "boundary"])
        #expect(type[parameter: "Boundary"] == #"a b;c="d\e"#)
        #expect(type[parameter: "charset"] == "UTF-8")
        #expect(type[parameter: "q"] == nil)
    }

    @Test(arguments: [
        ("image/jpeg", "image/jpeg"), (" image/svg+xml\t", "image/svg+xml"), ("a/b;", "a/b"), ("a/b; ;;c=d", "a/b"),
        ("*/*;q=0.5", "*/*"), (#"a/b;c="""#, "a/b"),
    ])
    func theseAreMediaTypes(text: String, essence: String) {
        #expect(MediaType(text)?.essence == essence)
    }

    @Test(arguments: [
        "", "image", "image/", "/jpeg", "image /jpeg", "image/ jpeg", "image/jpeg x", "a/b;c", "a/b;c=", "a/b;=d",
        "a/b;c =d", "a/b;c= d", #"a/b;c="d"#, #"a/b;c="d\"#, "a/b;c=d;C=e", "a/b,c/d", "a/b;c=d e", "a/b;c=\"\u{0}\"",
        "a/b;c=d\r\n", #"a/b;c="d"e"#, "ä/b",
    ])
    func theseAreNot(text: String) {
        #expect(MediaType(text) == nil)
    }
}
