import HTTPWire
import Testing

@testable import PoolHealth

@Suite struct AdminExchangeTests {
    private let routes = [
        AdminRoute("/livez") { _ in .text("ok\n") },
        AdminRoute("/json") { .text($0.wantsJSON ? "json" : "text") },
        AdminRoute(.post, "/act") { .text($0.query("what") ?? "nothing", status: .accepted) },
    ]

    private func ask(_ request: String) -> String? {
        var exchange = AdminExchange(routes: routes)
        return exchange.receive(Array(request.utf8).span, date: "D").map { String(decoding: $0, as: UTF8.self) }
    }

    private func get(_ path: String, _ fields: String = "", method: String = "GET") -> String {
        ask("\(method) \(path) HTTP/1.1\r\nHost: a\r\n\(fields)\r\n") ?? "incomplete"
    }

    @Test func answersAndCloses() {
        let answer = get("/livez")
        #expect(answer.hasPrefix("HTTP/1.1 200 OK\r\nDate: D\r\n"))
        #expect(answer.contains("\r\nConnection: close\r\n"))
        #expect(answer.hasSuffix("\r\nContent-Length: 3\r\nConnection: close\r\n\r\nok\n"))
    }

    @Test func headHasTheLengthAndNoContent() {
        let answer = get("/livez", method: "HEAD")
        #expect(answer.contains("\r\nContent-Length: 3\r\n"))
        #expect(answer.hasSuffix("\r\n\r\n"))
    }

    @Test func refusesOtherMethodsAndPaths() {
        #expect(get("/livez", method: "POST").hasPrefix("HTTP/1.1 405 "))
        #expect(get("/livez", method: "POST").contains("\r\nAllow: GET, HEAD\r\n"))
        #expect(get("/act").contains("\r\nAllow: POST\r\n"))
        #expect(get("/livez/").hasPrefix("HTTP/1.1 404 "))
        #expect(get("/").hasPrefix("HTTP/1.1 404 "))
    }

    @Test func readsTheQueryOfAPost() {
        let answer = get("/act?what=x%20y", "Content-Length: 5\r\n", method: "POST")
        #expect(answer.hasPrefix("HTTP/1.1 202 "))
        #expect(answer.hasSuffix("x y"))
    }

    @Test func choosesTheFormat() {
        #expect(get("/json").hasSuffix("text"))
        #expect(get("/json?format=json").hasSuffix("json"))
        #expect(get("/json", "Accept: text/html, application/json;q=0.9\r\n").hasSuffix("json"))
        #expect(get("/json?format=text", "Accept: application/json\r\n").hasSuffix("text"))
    }

    @Test func waitsForTheWholeHead() {
        var exchange = AdminExchange(routes: routes)
        for byte in "GET /livez HTTP/1.1\r\nHost: a\r\n\r".utf8 {
            #expect(exchange.receive([byte].span, date: "D") == nil)
        }
        #expect(exchange.receive([UInt8(ascii: "\n")].span, date: "D") != nil)
    }

    @Test func refusesWhatIsNoRequest() {
        #expect(ask("GET /livez HTTP/1.1\nHost: a\n\n")?.hasPrefix("HTTP/1.1 400 ") == true)
        #expect(ask("\u{16}\u{3}\u{1}")?.hasPrefix("HTTP/1.1 400 ") == true)
        #expect(ask("GET /\(String(repeating: "a", count: 5000))")?.hasPrefix("HTTP/1.1 414 ") == true)
    }
}
