/// Takes a stream of bytes apart into lines, in memory for one line and the bytes that came last.
struct LineSplitter: Sendable {
    /// What was found.
    enum Line: Hashable, Sendable {
        /// The bytes of a line without its end: LF, or CR LF.
        case line([UInt8])
        /// A line that is longer than the limit; it is passed over.
        case tooLong
    }

    private let limit: Int
    /// What came last and has not been looked at.
    private var rest: ArraySlice<UInt8> = []
    private var line: [UInt8] = []
    private var isTooLong = false

    /// - Parameter limit: Most bytes of a line.
    init(limit: Int) {
        self.limit = limit
    }

    /// Takes the next bytes, once ``next()`` has found no more lines in the last ones.
    mutating func feed(_ bytes: [UInt8]) {
        rest = bytes[...]
    }

    /// The next line that is complete; nil if there is none yet. Empty lines are left out.
    mutating func next() -> Line? {
        while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
            append(rest[..<end])
            rest = rest[(end + 1)...]
            if let line = take() { return line }
        }
        append(rest)
        rest = []
        return nil
    }

    /// The last line, if it lacks its end.
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
