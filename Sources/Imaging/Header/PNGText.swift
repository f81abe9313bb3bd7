import CZlib

/// A text chunk of a PNG (W3C PNG, third edition, section 11.3.3), as far as pictures keep their metadata in some.
struct PNGText {
    /// What the text is about.
    enum Subject {
        /// An EXIF block in hexadecimal digits: how ImageMagick writes it for old readers.
        case exifProfile
        /// An XMP packet.
        case xmp

        /// Each with the zero that ends it.
        fileprivate static let keywords: [(subject: Subject, keyword: [UInt8])] = [
            (.exifProfile, Array("Raw profile type exif\0".utf8)), (.xmp, Array("XML:com.adobe.xmp\0".utf8)),
        ]
    }

    let subject: Subject
    private let content: ArraySlice<UInt8>
    private let isCompressed: Bool

    /// Nil for all other subjects and chunks. Takes no time: nothing is unpacked.
    ///
    /// - Parameter chunk: The data of a chunk of that type.
    init?(_ chunk: ArraySlice<UInt8>, type: String) {
        let found = Subject.keywords.first { chunk.starts(with: $0.keyword) }
        guard let found else { return nil }
        subject = found.subject
        let rest = chunk.dropFirst(found.keyword.count)
        switch type {
        case "tEXt":
            (content, isCompressed) = (rest, false)
        case "zTXt":
            guard rest.first == Self.deflate else { return nil }
            (content, isCompressed) = (rest.dropFirst(), true)
        case "iTXt":
            guard let flag = rest.first, flag == 0 || rest.dropFirst().first == Self.deflate,
                let text = Self.behindLanguage(rest.dropFirst(2))
            else { return nil }
            (content, isCompressed) = (text, flag != 0)
        default:
            return nil
        }
    }

    /// The only method of compression.
    private static let deflate: UInt8 = 0

    /// A language and a translated keyword stand before an international text, each with a zero behind it.
    private static func behindLanguage(_ text: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        guard let language = text.firstIndex(of: 0) else { return nil }
        let rest = text[(language + 1)...]
        guard let keyword = rest.firstIndex(of: 0) else { return nil }
        return rest[(keyword + 1)...]
    }

    /// The text, or what of it fits ``HeaderLimits/inflatedTextBytes`` if it is compressed; nil if it is damaged.
    func unpacked() -> ArraySlice<UInt8>? {
        guard isCompressed else { return content }
        // Blocks that pack nothing could be read for seconds.
        let packed = content.prefix(HeaderLimits.packedTextBytes)
        var status = Z_OK
        let text = [UInt8](unsafeUninitializedCapacity: HeaderLimits.inflatedTextBytes) { buffer, count in
            var length = uLongf(buffer.count)
            status = packed.withUnsafeBufferPointer { source in
                uncompress(buffer.baseAddress, &length, source.baseAddress, uLong(source.count))
            }
            count = Int(length)
        }
        // The latter: there was more than fits.
        return status == Z_OK || status == Z_BUF_ERROR ? text[...] : nil
    }

    /// The bytes of an EXIF profile: three lines that name it and tell its length, then the digits. Nil if it is
    /// damaged.
    func exifBlock() -> ArraySlice<UInt8>? {
        guard let text = unpacked()?.prefix(HeaderLimits.inflatedTextBytes) else { return nil }
        let lines = text.split(
            separator: Self.newline, maxSplits: Self.linesBeforeDigits, omittingEmptySubsequences: false)
        guard lines.count > Self.linesBeforeDigits, let digits = lines.last else { return nil }
        return Self.bytes(ofDigits: digits)
    }

    private static let newline: UInt8 = 0x0A
    private static let linesBeforeDigits = 3

    private static func bytes(ofDigits text: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.count / 2)
        var high: UInt8?
        for character in text {
            let digit: UInt8
            switch character {
            case 0x30...0x39: digit = character - 0x30
            case 0x41...0x46: digit = character - 0x41 + 10
            case 0x61...0x66: digit = character - 0x61 + 10
            case 0x09...0x0D, 0x20: continue
            default: return nil
            }
            if let upper = high {
                bytes.append(upper << 4 | digit)
                high = nil
            } else {
                high = digit
            }
        }
        return bytes[...]
    }
}
