/// What is accepted before anything of a picture's size is allocated.
public struct DecodeLimits: Hashable, Sendable {
    /// 64 megapixels.
    public static let defaultMaximumPixels = 64_000_000

    /// The longest side that JPEG and GIF can express.
    ///
    /// PNG and TIFF can announce a picture of one row and millions of columns within any pixel limit; the filter
    /// tables of the resampler grow with a side, not with the pixels.
    public static let maximumSide = 65_535

    /// JPEG, PNG, WebP and GIF.
    public static let defaultFormats: Set<ImageFormat> = [.jpeg, .png, .webp, .gif]

    /// The largest accepted width times height, as stored in the file.
    public var maximumPixels: Int

    /// The shortest accepted side; 1 accepts every picture.
    public var minimumSide: Int

    /// The formats that are decoded; any other is refused as unsupported.
    public var enabledFormats: Set<ImageFormat>

    /// - Parameters:
    ///   - maximumPixels: The largest accepted width times height.
    ///   - minimumSide: The shortest accepted side.
    ///   - enabledFormats: The formats that are decoded.
    public init(
        maximumPixels: Int = DecodeLimits.defaultMaximumPixels,
        minimumSide: Int = 1,
        enabledFormats: Set<ImageFormat> = DecodeLimits.defaultFormats
    ) {
        self.maximumPixels = maximumPixels
        self.minimumSide = minimumSide
        self.enabledFormats = enabledFormats
    }
}
