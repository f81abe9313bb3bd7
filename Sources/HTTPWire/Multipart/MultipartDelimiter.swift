import Glibc

/// Finds `CR LF "--" boundary` and tells whether it ends a part (RFC 2046, section 5.1.1).
///
/// A delimiter holds a single CR, its first byte. So two can't overlap, and what may be the beginning of one at the end
/// of the input starts at the input's last CR.
struct MultipartDelimiter: Sendable {
    /// What makes a delimiter of the bytes; `length` counts what belongs to it behind the boundary.
    enum Ending {
        /// White space and a line end: another part follows.
        case nextPart(length: Int)
        /// Two dashes: the last part is over.
        case final(length: Int)
        /// A line feed without its carriage return: an error.
        case bareLineFeed
        /// More white space than allowed: an error.
        case paddingTooLong
    }

    enum Search {
        /// A whole delimiter begins at `position`.
        case found(position: Int, ending: Ending)
        /// Everything before `end` is data; what is behind may begin a delimiter.
        case dataUpTo(end: Int)
    }

    private enum Judgement {
        case delimiter(Ending)
        /// The line only begins like a delimiter, and is data.
        case data
        /// The input ends too early to say.
        case undecided
    }

    /// The delimiter without its ending.
    let bytes: [UInt8]
    private let maximumPadding: Int

    init(boundary: String, maximumPadding: Int) {
        bytes = Array("\r\n--\(boundary)".utf8)
        self.maximumPadding = maximumPadding
    }

    /// From this many bytes on it is always decided whether a delimiter begins at the first.
    var decisiveLength: Int {
        bytes.count + maximumPadding + 2
    }

    func search(_ input: ArraySlice<UInt8>) -> Search {
        var start = input.startIndex
        while let position = firstMatch(in: input[start...]) {
            switch judge(behind: input[(position + bytes.count)...]) {
            case .delimiter(let ending): return .found(position: position, ending: ending)
            case .undecided: return .dataUpTo(end: position)
            case .data: start = position + bytes.count
            }
        }
        let tail = input[start...].suffix(bytes.count - 1)
        guard let last = tail.lastIndex(of: UInt8(ascii: "\r")), bytes.starts(with: tail[last...]) else {
            return .dataUpTo(end: input.endIndex)
        }
        return .dataUpTo(end: last)
    }

    /// `memchr` compares many bytes at a time, and most data has few carriage returns; fewer still with a line feed.
    private func firstMatch(in input: ArraySlice<UInt8>) -> Int? {
        input.withUnsafeBufferPointer { buffer in
            bytes.withUnsafeBufferPointer { pattern in
                Self.firstMatch(of: pattern, in: buffer).map { input.startIndex + $0 }
            }
        }
    }

    /// Every access stays inside of `buffer`, since a candidate leaves room for the whole pattern.
    private static func firstMatch(
        of pattern: UnsafeBufferPointer<UInt8>, in buffer: UnsafeBufferPointer<UInt8>
    ) -> Int? {
        guard let base = buffer.baseAddress, let patternBase = pattern.baseAddress else { return nil }
        let end = buffer.count - pattern.count + 1
        var offset = 0
        while offset < end {
            guard let found = memchr(base + offset, Int32(UInt8(ascii: "\r")), end - offset) else { return nil }
            offset = UnsafeRawPointer(found) - UnsafeRawPointer(base)
            if buffer[offset + 1] == UInt8(ascii: "\n"), memcmp(found, patternBase, pattern.count) == 0 {
                return offset
            }
            offset += 1
        }
        return nil
    }

    private func judge(behind rest: ArraySlice<UInt8>) -> Judgement {
        if rest.first == UInt8(ascii: "-") {
            guard let second = rest.dropFirst().first else { return .undecided }
            return second == UInt8(ascii: "-") ? .delimiter(.final(length: 2)) : .data
        }
        let padding = rest.prefix(maximumPadding + 1).prefix { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
        guard padding.count <= maximumPadding else { return .delimiter(.paddingTooLong) }
        let lineEnd = rest[padding.endIndex...]
        switch lineEnd.first {
        case nil: return .undecided
        case UInt8(ascii: "\n"): return .delimiter(.bareLineFeed)
        case UInt8(ascii: "\r"):
            guard let second = lineEnd.dropFirst().first else { return .undecided }
            return second == UInt8(ascii: "\n") ? .delimiter(.nextPart(length: padding.count + 2)) : .data
        default: return .data
        }
    }
}
