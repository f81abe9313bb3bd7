import Scheduling

/// Turns a picture's bytes into a model's pixels.
///
/// The reference is Pillow: `ImageOps.exif_transpose`, `convert("RGB")`, `resize`, centre crop. In
/// ``DecodeMode/exact`` the pixels are bit-equal to it.
public enum ImagePreparer {
    /// Starts the decoders' libraries: 30 to 50 ms, which otherwise the first picture that needs one waits for.
    ///
    /// To be called before other threads are at work, since it sets environment variables of the libraries and other
    /// threads may be reading the environment.
    ///
    /// - Returns: Whether they work. If not, every picture but JPEG and still WebP is refused as broken.
    public static func start() -> Bool {
        VipsLibrary.shared != nil
    }

    /// Opens and prepares in one step; see ``prepare(_:preparation:cancellation:)``.
    ///
    /// - Throws: ``ImagingError``, or `CancellationError` once `cancellation` is set.
    public static func prepare(
        _ bytes: [UInt8], preparation: Preparation, limits: DecodeLimits = DecodeLimits(),
        cancellation: CancellationFlag
    ) throws -> PreparedImage {
        try prepare(ImageFile(opening: bytes, limits: limits), preparation: preparation, cancellation: cancellation)
    }

    /// Decodes, turns, resizes and crops an opened picture and finds its dominant colour.
    ///
    /// Blocking work for a thread of its own, never for the cooperative pool. The flag is looked at on every row.
    ///
    /// - Throws: ``ImagingError/broken(format:what:where:)``, or `CancellationError` once `cancellation` is set.
    public static func prepare(
        _ file: ImageFile, preparation: Preparation, cancellation: CancellationFlag
    ) throws -> PreparedImage {
        let clock = SuspendingClock()
        let start = clock.now
        let geometry = ResizeGeometry(of: file.header, preparation: preparation)
        let reduction = JPEGReduction.chosen(for: file.header, target: geometry, mode: preparation.mode)
        let pipeline = PreparationPipeline(
            header: file.header, reduction: reduction, geometry: geometry, interpolation: preparation.interpolation)
        try decode(file, reduction: reduction, into: pipeline, cancellation: cancellation)
        let dominantColor = pipeline.findDominantColor()
        return PreparedImage(
            header: file.header, pixels: pipeline.pixels, dominantColor: dominantColor,
            decodeDuration: clock.now - start - pipeline.duration, preprocessDuration: pipeline.duration)
    }

    private static func decode(
        _ file: ImageFile, reduction: JPEGReduction, into sink: any RowSink, cancellation: CancellationFlag
    ) throws {
        switch file.header.format {
        case .jpeg:
            try JPEGDecoder(file: file, reduction: reduction, cancellation: cancellation).decode(into: sink)
        case .webp:
            try WebPDecoder(file: file, cancellation: cancellation).decode(into: sink)
        case .png, .gif, .tiff:
            try VipsDecoder(file: file, cancellation: cancellation).decode(into: sink)
        }
    }
}
