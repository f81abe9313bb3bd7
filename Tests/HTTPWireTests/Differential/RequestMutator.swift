import TestSupport

/// Makes requests: good ones, and good ones with something done to them. The same in every run.
struct RequestMutator {
    static let valid: [String] = [
        "GET / HTTP/1.1\r\nHost: a\r\n\r\n", "GET /a/b?c=d&e HTTP/1.1\r\nHost: example.org:8080\r\nAccept: */*\r\n\r\n",
        "GET http://a.example/x HTTP/1.1\r\nHost: a.example\r\n\r\n", "OPTIONS * HTTP/1.1\r\nHost: a\r\n\r\n",
        "HEAD /%41%c3%a4 HTTP/1.1\r\nhost: [::1]:80\r\nConnection: close\r\n\r\n", "GET / HTTP/1.0\r\n\r\n",
        "GET / HTTP/1.0\r\nConnection: keep-alive\r\nX: \t spaced out \t\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: a\r\nCookie: a=b; c=\"d\"\r\nX-Empty:\r\nX-Text: \u{e4}\u{20ac}\r\n\r\n",
        "PUT /x HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\n",
        "POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nHello",
        "POST / HTTP/1.0\r\nContent-Length: 3\r\n\r\nabcGET /",
        "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 12\r\nExpect: 100-continue\r\n\r\n\r\n\r\n0\r\n\r\n123GET / HTTP/1.1",
        "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nHello\r\n0\r\n\r\n",
        "POST / HTTP/1.1\r\nTransfer-Encoding: Chunked\r\nHost: a\r\n\r\n5;a=b;c=\"d\"\r\nHello\r\nA\r\n0123456789\r\n000\r\n\r\nGET",
        "PATCH / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nx\r\n0;end\r\nTrailer: a\r\nAnother: b\r\n\r\nrest",
        "DELETE /x HTTP/1.1\r\nHost: a\r\nX-Request-Id: 1\r\n\r\nGET / HTTP/1.1\r\nHost: a\r\n\r\n",
    ]

    private static let insertions: [[UInt8]] = [
        "\r", "\n", "\r\n", "\u{0}", " ", "\t", ":", ";", ",", "\u{1}", "\u{7F}", "%", "0", "+", "-", "x", "/", "#",
        "\"",
        "\r\n ", "\r\n\r\n", "0x",
    ].map { Array($0.utf8) }

    private static let fields = [
        "Content-Length: 5", "Content-Length: 7", "Content-Length: 5, 5", "Content-Length: +5", "Content-Length: 05",
        "Content-Length: 99999999999999999999", "Transfer-Encoding: chunked", "Transfer-Encoding: gzip, chunked",
        "Transfer-Encoding: identity", "Host: b", "Host:", "Host: a b", "Expect: 100-continue", "Expect: magic", "X: y",
        "X : y", ": y", " folded: y", "Connection: close", "Upgrade: websocket",
    ]

    private static let sizes = [
        "0", "1", "4", "6", "5 ", "5 ;a", "0x5", "+5", "-1", "FFFFFFFFFFFFFFFF", "0000000000000005", "5;", "", "g",
        "00000000000000000000005", "5\t;b=c", ";a",
    ]

    private var generator: SeededGenerator

    init(seed: UInt64) {
        generator = SeededGenerator(seed: seed)
    }

    /// A valid request with one to three mutations.
    mutating func next() -> [UInt8] {
        var bytes = Array((Self.valid.randomElement(using: &generator) ?? "").utf8)
        for _ in 0..<Int.random(in: 1...3, using: &generator) where !bytes.isEmpty {
            mutate(&bytes)
        }
        return bytes
    }

    private mutating func mutate(_ bytes: inout [UInt8]) {
        let position = Int.random(in: bytes.indices, using: &generator)
        switch Int.random(in: 0..<9, using: &generator) {
        case 0: bytes[position] ^= 1 << UInt8.random(in: 0..<8, using: &generator)
        case 1: bytes[position] = UInt8.random(in: 0...255, using: &generator)
        case 2: bytes.remove(at: position)
        case 3: bytes.removeSubrange(position...)
        case 4, 5: bytes.insert(contentsOf: Self.insertions.randomElement(using: &generator) ?? [], at: position)
        case 6: insertField(&bytes)
        case 7: duplicateOrRemoveField(&bytes)
        default: replaceChunkSize(&bytes)
        }
    }

    private mutating func insertField(_ bytes: inout [UInt8]) {
        guard let lineEnd = lineEnds(bytes).randomElement(using: &generator) else { return }
        let field = Self.fields.randomElement(using: &generator) ?? ""
        bytes.insert(contentsOf: Array("\(field)\r\n".utf8), at: lineEnd)
    }

    private mutating func duplicateOrRemoveField(_ bytes: inout [UInt8]) {
        let ends = lineEnds(bytes)
        guard ends.count > 1 else { return }
        let index = Int.random(in: 1..<ends.count, using: &generator)
        let line = ends[index - 1]..<ends[index]
        if Bool.random(using: &generator) {
            bytes.insert(contentsOf: Array(bytes[line]), at: line.upperBound)
        } else {
            bytes.removeSubrange(line)
        }
    }

    private mutating func replaceChunkSize(_ bytes: inout [UInt8]) {
        guard let head = lineEnds(bytes).last, let colon = bytes.firstIndex(of: UInt8(ascii: ":")), colon < head else {
            return
        }
        let end = bytes[head...].firstIndex(of: UInt8(ascii: "\r")) ?? bytes.endIndex
        bytes.replaceSubrange(head..<end, with: Array((Self.sizes.randomElement(using: &generator) ?? "").utf8))
    }

    /// The positions behind the CRLFs up to the empty line's.
    private func lineEnds(_ bytes: [UInt8]) -> [Int] {
        var ends: [Int] = []
        for index in bytes.indices.dropFirst() where bytes[index - 1] == 13 && bytes[index] == 10 {
            if ends.last == index - 1 {
                ends.append(index + 1)
                break
            }
            ends.append(index + 1)
        }
        return ends
    }
}
