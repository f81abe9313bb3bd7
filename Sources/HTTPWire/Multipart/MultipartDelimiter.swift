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

    /// Looks for the carriage return first: `memchr` compares many bytes at a time, and most data has few.
    private func firstMatch(in input: ArraySlice<UInt8>) -> Int? {
        input.withUnsafeBytes { buffer -> Int? in
            guard let base = buffer.baseAddress else { return nil }
            var offset = 0
            // The pointers stay inside of the buffer: a candidate leaves room for the whole delimiter.
            while buffer.count - offset >= bytes.count {
                let candidates = buffer.count - offset - bytes.count + 1
                guard let found = memchr(base + offset, Int32(UInt8(ascii: "\r")), candidates) else { return nil }
                offset = UnsafeRawPointer(found) - base
                if memcmp(found, bytes, bytes.count) == 0 { return input.startIndex + offset }
                offset += 1
            }
            return nil
        }
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
