/// A response, taken apart by hand rather than by the code under test.
struct RawResponse: Sendable {
    let status: Int
    let fields: [(name: String, value: String)]
    var body: [UInt8] = []

    init(head: String) {
        var lines = head.split(separator: "\r\n").map(String.init)
        let statusLine = lines.isEmpty ? "" : lines.removeFirst()
        status = statusLine.hasPrefix("HTTP/1.1 ") ? Int(statusLine.dropFirst(9).prefix(3)) ?? 0 : 0
        fields = lines.map { line in
            let colon = line.firstIndex(of: ":") ?? line.endIndex
            return (line[..<colon].lowercased(), line[colon...].dropFirst().trimmingPrefix(" ").description)
        }
    }

    /// The field's value; all of them, joined, when it comes more than once, so that a doubled one is seen.
    subscript(_ name: String) -> String? {
        let values = fields.filter { $0.name == name }.map(\.value)
        return values.isEmpty ? nil : values.joined(separator: " & ")
    }

    var text: String { String(decoding: body, as: UTF8.self) }
}
