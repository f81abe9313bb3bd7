/// Tells what a body is by its bytes alone; names and Content-Types are often wrong.
public enum FormatSniffer {
    /// How many bytes at the start are looked at.
    public static let inspectedBytes = 1_024

    /// Looks at the start of a body.
    ///
    /// Only the signature is checked: a body that is sniffed as a picture may still be broken.
    public static func sniff(_ bytes: [UInt8]) -> SniffedContent {
        guard !bytes.isEmpty else { return .unsupported(.empty) }
        let start = bytes.prefix(inspectedBytes)
        if let format = imageFormat(start) { return .image(format) }
        return .unsupported(
            signatures.first { $0.matches(start) }?.content ?? mediaContainer(start) ?? TextSniffer.sniff(start)
                ?? .unknown)
    }

    private static func imageFormat(_ start: ArraySlice<UInt8>) -> ImageFormat? {
        if start.starts(with: [0xFF, 0xD8, 0xFF]) { return .jpeg }
        if start.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) { return .png }
        if start.starts(with: "GIF87a".utf8) || start.starts(with: "GIF89a".utf8) { return .gif }
        if start.starts(with: "RIFF".utf8), start.dropFirst(8).starts(with: "WEBP".utf8) { return .webp }
        // Version 42 is TIFF 6.0, 43 is BigTIFF.
        if start.starts(with: [0x49, 0x49, 42, 0]) || start.starts(with: [0x4D, 0x4D, 0, 42]) { return .tiff }
        if start.starts(with: [0x49, 0x49, 43, 0]) || start.starts(with: [0x4D, 0x4D, 0, 43]) { return .tiff }
        return nil
    }

    private struct Signature {
        let content: UnsupportedContent
        let prefix: [UInt8]

        func matches(_ start: ArraySlice<UInt8>) -> Bool { start.starts(with: prefix) }
    }

    private static let signatures: [Signature] = [
        Signature(content: .jpegXL, prefix: [0xFF, 0x0A]),
        Signature(content: .jpegXL, prefix: [0, 0, 0, 12] + Array("JXL \r\n".utf8) + [0x87, 0x0A]),
        Signature(content: .jpeg2000, prefix: [0, 0, 0, 12] + Array("jP  \r\n".utf8) + [0x87, 0x0A]),
        Signature(content: .jpeg2000, prefix: [0xFF, 0x4F, 0xFF, 0x51]),
        Signature(content: .photoshop, prefix: Array("8BPS".utf8)),
        Signature(content: .pdf, prefix: Array("%PDF-".utf8)),
        Signature(content: .zip, prefix: [0x50, 0x4B, 3, 4]),
        Signature(content: .zip, prefix: [0x50, 0x4B, 5, 6]),
        Signature(content: .gzip, prefix: [0x1F, 0x8B]),
        Signature(content: .icon, prefix: [0, 0, 1, 0]),
        Signature(content: .icon, prefix: [0, 0, 2, 0]),
        // Matroska and WebM share the EBML header.
        Signature(content: .video, prefix: [0x1A, 0x45, 0xDF, 0xA3]),
        Signature(content: .video, prefix: Array("OggS".utf8)),
        Signature(content: .bmp, prefix: Array("BM".utf8)),
    ]

    /// Containers that name their content in a second field: ISO base media (ISO/IEC 14496-12, `ftyp`) and RIFF.
    private static func mediaContainer(_ start: ArraySlice<UInt8>) -> UnsupportedContent? {
        if start.starts(with: "RIFF".utf8), start.dropFirst(8).starts(with: "AVI ".utf8) { return .video }
        guard start.dropFirst(4).starts(with: "ftyp".utf8) else { return nil }
        // The major brand, then a version, then the compatible brands: a file of major brand `mif1` is an AVIF if
        // it lists `avif`.
        let brands = stride(from: 8, to: min(start.count, brandsEnd(start)), by: 4)
            .filter { $0 != 12 }
            .map { String(decoding: start.dropFirst($0).prefix(4), as: UTF8.self) }
        if brands.contains(where: ["avif", "avis"].contains) { return .avif }
        let heif = ["heic", "heix", "heim", "heis", "hevc", "hevx", "mif1", "msf1", "mif2"]
        return brands.contains(where: heif.contains) ? .heic : .video
    }

    private static func brandsEnd(_ start: ArraySlice<UInt8>) -> Int {
        start.prefix(4).reduce(0) { $0 << 8 | Int($1) }
    }
}
