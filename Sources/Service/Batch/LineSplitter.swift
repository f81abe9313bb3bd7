/// Takes a stream of bytes apart into lines, in memory for one line.
struct LineSplitter: Sendable {
    /// What was found.
    enum Line: Hashable, Sendable {
        /// The bytes of a line without its end: LF, or CR LF.
        case line([UInt8])
        /// A line that is longer than the limit; it is passed over.
        case tooLong
    }

    private let limit: Int
    private var line: [UInt8] = []
    private var isTooLong = false

    /// - Parameter limit: Most bytes of a line.
    init(limit: Int) {
        self.limit = limit
    }

    /// Takes the next bytes, and gives the lines that end in them. Empty lines are left out.
    mutating func feed(_ bytes: [UInt8]) -> [Line] {
        var lines: [Line] = []
        var rest = bytes[...]
        while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
            append(rest[..<end])
            if let line = take() { lines.append(line) }
            rest = rest[(end + 1)...]
        }
        append(rest)
        return lines
    }

    /// Gives the last line if it lacks its end.
    mutating func finish() -> Line? {
        take()
    }

    private mutating func append(_ bytes: ArraySlice<UInt8>) {
        guard !isTooLong else { return }
        guard line.count + bytes.count <= limit else {
            line = []
            isTooLong = true
            return
        }
        line.append(contentsOf: bytes)
    }

    private mutating func take() -> Line? {
        defer {
            line = []
            isTooLong = false
        }
        guard !isTooLong else { return .tooLong }
        if line.last == UInt8(ascii: "\r") { line.removeLast() }
        return line.isEmpty ? nil : .line(line)
    }
}
