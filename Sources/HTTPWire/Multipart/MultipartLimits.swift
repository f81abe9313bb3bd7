/// How much a multipart body may ask of its reader. The data itself is not limited here: it is handed on as it comes.
public struct MultipartLimits: Sendable, Equatable {
    /// The most parts in a body.
    public var maximumParts: Int
    /// The most bytes in one part's header lines together, line ends included.
    public var maximumHeaderBytes: Int
    /// The most spaces and tabs after a boundary (RFC 2046, section 5.1.1, "transport-padding").
    public var maximumPaddingBytes: Int

    /// Browsers and curl send under 1 KiB of headers a part and no padding at all.
    public init(maximumParts: Int = 1000, maximumHeaderBytes: Int = 8192, maximumPaddingBytes: Int = 64) {
        self.maximumParts = maximumParts
        self.maximumHeaderBytes = maximumHeaderBytes
        self.maximumPaddingBytes = maximumPaddingBytes
    }
}
