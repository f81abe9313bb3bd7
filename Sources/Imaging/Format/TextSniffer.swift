/// Tells markup and plain text from binary data.
enum TextSniffer {
    /// - Returns: Nil if the bytes are no readable text.
    static func sniff(_ start: ArraySlice<UInt8>) -> UnsupportedContent? {
        guard isReadable(start) else { return nil }
        let text = String(decoding: start, as: UTF8.self).lowercased()
        if text.contains("<svg") { return .svg }
        let isPage = ["<!doctype html", "<html", "<head", "<body"].contains { text.contains($0) }
        return isPage ? .html : .text
    }

    /// UTF-8 without control characters; the last character may be cut off by the window.
    private static func isReadable(_ start: ArraySlice<UInt8>) -> Bool {
        let isControl = { (byte: UInt8) in byte < 0x20 && ![0x09, 0x0A, 0x0C, 0x0D].contains(byte) || byte == 0x7F }
        guard !start.contains(where: isControl) else { return false }
        let longestCut = start.count < FormatSniffer.inspectedBytes ? 0 : 3
        return (0...longestCut).contains { cut in
            String(validating: start.dropLast(cut), as: UTF8.self) != nil
        }
    }
}
