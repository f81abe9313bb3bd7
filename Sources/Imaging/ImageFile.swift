/// A body that is known to be an acceptable picture, not yet decoded.
///
/// Opening reads the header only and allocates nothing of the picture's size: microseconds for a real picture, some
/// tens of milliseconds for a file that was made to be slow (`HeaderLimits`). Between opening and preparing, a caller
/// can reserve the memory that the header foretells.
public struct ImageFile: Sendable {
    /// The whole file.
    public let bytes: [UInt8]
    /// What its header announces; within the limits it was opened with.
    public let header: ImageHeader
    /// How it keeps its pixels.
    let storage: PixelStorage

    /// Looks at the bytes and reads the header.
    ///
    /// - Throws: ``ImagingError``: `unsupported` if the bytes are no picture in an enabled format, `tooManyPixels`,
    ///   `sideTooLong` or `tooSmall` if the picture is not within the limits, `broken` if there is no usable header.
    public init(opening bytes: [UInt8], limits: DecodeLimits = DecodeLimits()) throws(ImagingError) {
        let content = FormatSniffer.sniff(bytes)
        guard case .image(let format) = content, limits.enabledFormats.contains(format) else {
            let enabled = ImageFormat.allCases.filter(limits.enabledFormats.contains)
            throw .unsupported(found: content, enabled: enabled)
        }
        let announcement = try ImageHeaderReader.read(bytes, format: format)
        try Self.check(announcement.header, limits)
        self.bytes = bytes
        header = announcement.header
        storage = announcement.storage
    }

    private static func check(_ header: ImageHeader, _ limits: DecodeLimits) throws(ImagingError) {
        let (width, height) = (header.width, header.height)
        guard width > 0, height > 0 else {
            throw .broken(format: header.format, what: "the picture has no pixels", where: "in the header")
        }
        // No format announces sides above 2^32, but the product of two such sides overflows.
        let (pixels, overflow) = width.multipliedReportingOverflow(by: height)
        guard !overflow, pixels <= limits.maximumPixels else {
            throw .tooManyPixels(width: width, height: height, limit: limits.maximumPixels)
        }
        guard max(width, height) <= DecodeLimits.maximumSide else {
            throw .sideTooLong(width: width, height: height, limit: DecodeLimits.maximumSide)
        }
        guard min(width, height) >= limits.minimumSide else {
            throw .tooSmall(width: width, height: height, minimumSide: limits.minimumSide)
        }
    }
}
