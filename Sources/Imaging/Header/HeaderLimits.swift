/// How far a header is followed. Headers are read before a picture waits for its turn, on whatever thread asks, so a
/// file of millions of empty blocks must not take longer than a real one: with these limits, some tens of milliseconds.
enum HeaderLimits {
    /// Segments, chunks or blocks; real pictures of 32 MiB have some thousands.
    static let maximumBlocks = 65_536
    /// Bytes between two segments that belong to none.
    static let maximumFillBytes = 1 << 20
    /// Bytes of an XMP packet that are searched for the orientation.
    static let searchedMetadataBytes = 1 << 20
    /// Bytes that a compressed text is unpacked to: an EXIF block of 64 KiB in hexadecimal digits, and XMP packets of
    /// all but a few writers.
    static let inflatedTextBytes = 1 << 18
    /// Bytes that a text of that size is packed in at most: hexadecimal digits take half of it, XML less. What packs
    /// little or nothing into more is not followed: empty blocks of deflate cost 150 ms a MiB.
    static let packedTextBytes = inflatedTextBytes / 8 * 5
}
