import HTTPWire
import Testing

@Suite struct RequestTargetTests {
    @Test func readsOriginForm() throws {
        let target = try #require(RequestTarget("/a%20b/c?x=1&y=a+b%26c&z&x=2", method: .get))
        #expect(target.form == .origin)
        #expect(target.path == "/a b/c")
        #expect(target.rawPath == "/a%20b/c")
        #expect(target.queryItems.map(\.name) == ["x", "y", "z", "x"])
        #expect(target.queryItems.map(\.value) == ["1", "a b&c", "", "2"])
        #expect(target.query("x") == "1")
        #expect(target.query("none") == nil)
    }

    @Test func readsAbsoluteForm() throws {
        let target = try #require(RequestTarget("HTTP://example.org:80/a?b", method: .get))
        #expect(target.form == .absolute)
        #expect(target.authority == "example.org:80")
        #expect(target.path == "/a")
        #expect(target.rawQuery == "b")
        let bare = try #require(RequestTarget("http://example.org", method: .get))
        #expect(bare.path == "/")
    }

    @Test func readsTheFormsOfOptionsAndConnect() throws {
        #expect(try #require(RequestTarget("*", method: .options)).form == .asterisk)
        #expect(try #require(RequestTarget("example.org:443", method: .connect)).form == .authority)
    }

    @Test(arguments: [
        ("/", [""]), ("/a", ["a"]), ("/a/", ["a", ""]), ("//a", ["", "a"]), ("/a//b%2Fc", ["a", "", "b/c"]),
        ("/../x", ["..", "x"]), ("/%2e%2E/x", ["..", "x"]), ("/%E2%82%AC", ["€"]),
        // A combining mark, which makes one character with the slash.
        ("/a/%CC%AEb", ["a", "\u{32E}b"]),
    ])
    func cutsThePathBeforeDecodingIt(text: String, segments: [String]) throws {
        #expect(try #require(RequestTarget(text, method: .get)).pathSegments == segments)
    }

    @Test(arguments: [
        "", "a", "*", "http://", "http:///a", "ftp://a/", "/a b", "/%", "/%4", "/%4g", "/%00", "/%C0%AF", "/%ED%A0%80",
        "/%FF", "http://:80/", "http://user@a/", "http://a,b/", "/a#b", "/\u{1}", "/é", "/a?%zz", "/a?%ff",
    ])
    func refuses(text: String) {
        #expect(RequestTarget(text, method: .get) == nil)
    }
}
