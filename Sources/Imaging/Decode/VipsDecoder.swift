import CVips
import Scheduling

/// Decodes a PNG, GIF, TIFF or animated WebP with libvips, some rows at a time.
///
/// Only the loader of libvips is used, and its pixels are asked for on the calling thread from top to bottom: between
/// two strips the flag is looked at, and no thread of libvips has to be stopped.
struct VipsDecoder {
    /// Rows decoded at a time. libvips' loaders work in strips of 16.
    private static let stripHeight = 16

    /// What libvips has to find in the file that it is given, in pixels.
    private struct Size {
        let width: Int
        let height: Int
    }

    let file: ImageFile
    let cancellation: CancellationFlag

    /// - Throws: ``ImagingError/broken(format:what:where:)``, or `CancellationError` once the flag is set: at the next
    ///   strip, and where the loader reads on. A GIF or an animated WebP is decoded whole before its first strip.
    func decode(into sink: any RowSink) throws {
        guard let library = VipsLibrary.shared else {
            throw broken("libvips could not be started", "before the header")
        }
        try library.visit { visit in
            let failure = { broken(library.takeError(for: visit) ?? "the decoder gave up", $0) }
            switch file.header.format {
            case .gif:
                try decodeGIF(into: sink, failure: failure)
            case .png:
                try decode(PNGPixelChunks(file.bytes).input, size: headerSize, into: sink, failure: failure)
            case .webp:
                let input = try VipsInput(WebPFirstFrame(file.bytes).bytes)
                try decode(input, size: headerSize, into: sink, failure: failure)
            case .tiff, .jpeg:
                try decode(VipsInput(file.bytes), size: headerSize, into: sink, failure: failure)
            }
        }
    }

    private var headerSize: Size { Size(width: file.header.width, height: file.header.height) }

    private func decodeGIF(into sink: any RowSink, failure: (String) -> ImagingError) throws {
        let frame = try GIFFirstFrame(file.bytes)
        let input = try VipsInput(frame.file(from: file.bytes))
        let backdrop = GIFBackdrop(frame: frame, sink: sink, cancellation: cancellation)
        try backdrop.paintAbove()
        let size = Size(width: frame.columns.count, height: frame.rows.count)
        try decode(input, size: size, into: backdrop, failure: failure)
        try backdrop.paintBelow()
    }

    private func decode(
        _ input: VipsInput, size: Size, into sink: any RowSink, failure: (String) -> ImagingError
    ) throws {
        try input.withPieces { try decode($0, size: size, into: sink, failure: failure) }
    }

    private func decode(
        _ pieces: UnsafeBufferPointer<cvips_piece>, size: Size, into sink: any RowSink,
        failure: (String) -> ImagingError
    ) throws {
        // The flag outlives the picture: `self` holds it.
        let context = Unmanaged.passUnretained(cancellation).toOpaque()
        let isCancelled: cvips_is_cancelled = { context in
            guard let context else { return 0 }
            return Unmanaged<CancellationFlag>.fromOpaque(context).takeUnretainedValue().isCancelled ? 1 : 0
        }
        try throwIfCancelled()
        guard let picture = cvips_open(pieces.baseAddress, pieces.count, vipsFormat, isCancelled, context) else {
            try throwIfCancelled()
            throw failure("in the header")
        }
        defer { cvips_close(picture) }
        guard Int(cvips_width(picture)) == size.width, Int(cvips_height(picture)) == size.height else {
            throw broken("two headers announce different sizes", "in the header")
        }
        let layout = SampleLayout(
            bitsPerSample: Int(cvips_sample_bits(picture)), bands: Int(cvips_band_count(picture)),
            isCMYK: cvips_is_cmyk(picture) != 0)
        guard let layout else { throw broken("samples are neither 8 nor 16 bits wide", "in the header") }
        try decodeStrips(of: picture, size: size, layout: layout, into: sink, failure: failure)
    }

    private func decodeStrips(
        of picture: OpaquePointer, size: Size, layout: SampleLayout, into sink: any RowSink,
        failure: (String) -> ImagingError
    ) throws {
        let row = RowBuffer<UInt32>(count: size.width)
        for top in stride(from: 0, to: size.height, by: Self.stripHeight) {
            try throwIfCancelled()
            let count = min(Self.stripHeight, size.height - top)
            var pixels: UnsafePointer<UInt8>?
            var bytesPerRow = 0
            guard cvips_read_rows(picture, Int32(top), Int32(count), &pixels, &bytesPerRow) == 0, let pixels else {
                try throwIfCancelled()
                throw failure("after row \(top) of \(size.height)")
            }
            for index in 0..<count {
                // libvips promises `count` rows of `width` pixels in the layout that was asked for above.
                layout.convert(UnsafeRawPointer(pixels + index * bytesPerRow), to: row.elements)
                sink.take(UnsafeBufferPointer(row.elements))
            }
        }
    }

    private var vipsFormat: cvips_format {
        switch file.header.format {
        case .png, .jpeg: CVIPS_PNG
        case .webp: CVIPS_WEBP
        case .gif: CVIPS_GIF
        case .tiff: CVIPS_TIFF
        }
    }

    private func throwIfCancelled() throws {
        if cancellation.isCancelled { throw CancellationError() }
    }

    private func broken(_ what: String, _ place: String) -> ImagingError {
        .broken(format: file.header.format, what: what, where: place)
    }
}
