/// What libvips takes besides what a format's loader holds; measured with libvips 8.14 at a concurrency of 1.
enum VipsFootprint {
    /// Its objects, its source's buffer and its thread's, whatever the picture.
    static let fixedBytes: ByteCount = 1_048_576
    /// The most rows that the cache behind a sequential loader keeps, for pictures of at least a tile's width.
    private static let mostCachedRows = 576
    /// What is between the cache and the decoder: strips on their way.
    private static let rowsOnTheirWay = 64
    /// The side of libvips' tiles. Narrower pictures have more rows in the cache: those that fill a tile.
    private static let tileSide = 128

    /// The cache that libvips puts behind loaders that give rows from the top, and our own row.
    static func rowCacheBytes(width: Int, height: Int, bytesPerPixel: Int) -> ByteCount {
        let most = mostCachedRows * ((tileSide + width - 1) / width)
        let rows = min(height, most) + rowsOnTheirWay
        return ByteCount(width) * bytesPerPixel * rows + ByteCount(width) * MemoryLayout<UInt32>.stride
    }
}
