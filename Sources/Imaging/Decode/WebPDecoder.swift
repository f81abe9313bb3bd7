import CWebP
import Scheduling

/// Decodes a still WebP with libwebp, a piece of the file at a time.
///
/// libvips decodes a WebP in one call, which can't be stopped: 0.3 seconds for 12 megapixels. Handed over in pieces, it
/// can be stopped between two of them. An animation's first frame has to be placed on a canvas; that is left to
/// libvips.
struct WebPDecoder {
    /// At most this many pieces, since each costs the decoder a restart.
    private static let maximumPieces = 128
    /// A piece is to hold about so many pixels, however few bytes they take.
    private static let pixelsOfPiece = 250_000

    let file: ImageFile
    let cancellation: CancellationFlag

    /// - Throws: ``ImagingError/broken(format:what:where:)``, or `CancellationError` at the next piece once the flag is
    ///   set.
    func decode(into sink: any RowSink) throws {
        var features = WebPBitstreamFeatures()
        guard WebPGetFeatures(file.bytes, file.bytes.count, &features) == VP8_STATUS_OK else {
            throw broken("the bitstream is not readable", "in the header")
        }
        guard features.has_animation == 0 else {
            return try VipsDecoder(file: file, cancellation: cancellation).decode(into: sink)
        }
        guard Int(features.width) == file.header.width, Int(features.height) == file.header.height else {
            throw broken("two headers announce different sizes", "in the header")
        }
        try decodePieces(into: sink)
    }

    private func decodePieces(into sink: any RowSink) throws {
        // libwebp keeps the pointer to the configuration's output for as long as the decoder lives.
        let configuration = UnsafeMutablePointer<WebPDecoderConfig>.allocate(capacity: 1)
        defer { configuration.deallocate() }
        configuration.initialize(to: WebPDecoderConfig())
        guard WebPInitDecoderConfig(configuration) != 0 else {
            throw broken("libwebp has another version than at build time", "before the header")
        }
        configuration.pointee.output.colorspace = MODE_RGBA
        defer { WebPFreeDecBuffer(&configuration.pointee.output) }
        guard let decoder = WebPIDecode(nil, 0, configuration) else {
            throw broken("the decoder got no memory", "before the header")
        }
        defer { WebPIDelete(decoder) }
        try file.bytes.withUnsafeBufferPointer { try feed(decoder, $0, into: sink) }
    }

    private func feed(_ decoder: OpaquePointer, _ bytes: UnsafeBufferPointer<UInt8>, into sink: any RowSink) throws {
        let pieces = min(Self.maximumPieces, 1 + file.header.pixelCount / Self.pixelsOfPiece)
        let pieceLength = 1 + bytes.count / pieces
        var rowsHandedOn = 0
        var length = 0
        repeat {
            if cancellation.isCancelled { throw CancellationError() }
            length = min(length + pieceLength, bytes.count)
            let status = WebPIUpdate(decoder, bytes.baseAddress, length)
            let place = "after row \(rowsHandedOn) of \(file.header.height)"
            guard status == VP8_STATUS_OK || status == VP8_STATUS_SUSPENDED else {
                throw broken("the bitstream is damaged", place)
            }
            try handOnRows(of: decoder, from: &rowsHandedOn, into: sink)
            if status == VP8_STATUS_OK, rowsHandedOn == file.header.height { return }
        } while length < bytes.count
        throw broken("the data ends early", "after row \(rowsHandedOn) of \(file.header.height)")
    }

    private func handOnRows(of decoder: OpaquePointer, from first: inout Int, into sink: any RowSink) throws {
        var rowCount: Int32 = 0
        var bytesPerRow: Int32 = 0
        guard let pixels = WebPIDecGetRGB(decoder, &rowCount, nil, nil, &bytesPerRow) else { return }
        let width = file.header.width
        while first < Int(rowCount) {
            if cancellation.isCancelled { throw CancellationError() }
            // libwebp promises `rowCount` finished rows of `width` RGBA pixels; it allocates them aligned.
            let row = UnsafeRawPointer(pixels + first * Int(bytesPerRow)).assumingMemoryBound(to: UInt32.self)
            sink.take(UnsafeBufferPointer(start: row, count: width))
            first += 1
        }
    }

    private func broken(_ what: String, _ place: String) -> ImagingError {
        .broken(format: .webp, what: what, where: place)
    }
}
