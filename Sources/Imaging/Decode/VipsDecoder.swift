import CVips
import Scheduling

/// Decodes a PNG, GIF, TIFF or animated WebP with libvips, some rows at a time.
///
/// Only the loader of libvips is used, and its pixels are asked for on the calling thread from top to bottom: between
/// two strips the flag is looked at, and no thread of libvips has to be stopped.
struct VipsDecoder {
    /// Rows decoded at a time. libvips' loaders work in strips of 16.
    private static let stripHeight = 16

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
                let backdrop = try GIFBackdrop(file.bytes, sink: sink)
                try decode(VipsInput(backdrop.opaqueBytes), into: backdrop, failure: failure)
            case .png:
                try decode(PNGPixelChunks(file.bytes).input, into: sink, failure: failure)
            case .webp, .tiff, .jpeg:
                try decode(VipsInput(file.bytes), into: sink, failure: failure)
            }
        }
    }

    private func decode(_ input: VipsInput, into sink: any RowSink, failure: (String) -> ImagingError) throws {
        try input.withPieces { try decode($0, into: sink, failure: failure) }
    }

    private func decode(
        _ pieces: UnsafeBufferPointer<cvips_piece>, into sink: any RowSink, failure: (String) -> ImagingError
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
        let layout = try layout(of: picture)
        try decodeStrips(of: picture, layout: layout, into: sink, failure: failure)
    }

    private func layout(of picture: OpaquePointer) throws -> SampleLayout {
        let header = file.header
        guard Int(cvips_width(picture)) == header.width, Int(cvips_height(picture)) == header.height else {
            throw broken("two headers announce different sizes", "in the header")
        }
        let layout = SampleLayout(
            bitsPerSample: Int(cvips_sample_bits(picture)), bands: Int(cvips_band_count(picture)),
            isCMYK: cvips_is_cmyk(picture) != 0)
        guard let layout else { throw broken("samples are neither 8 nor 16 bits wide", "in the header") }
        return layout
    }

    private func decodeStrips(
        of picture: OpaquePointer, layout: SampleLayout, into sink: any RowSink, failure: (String) -> ImagingError
    ) throws {
        let header = file.header
        let row = RowBuffer<UInt32>(count: header.width)
        for top in stride(from: 0, to: header.height, by: Self.stripHeight) {
            try throwIfCancelled()
            let count = min(Self.stripHeight, header.height - top)
            var pixels: UnsafePointer<UInt8>?
            var bytesPerRow = 0
            guard cvips_read_rows(picture, Int32(top), Int32(count), &pixels, &bytesPerRow) == 0, let pixels else {
                try throwIfCancelled()
                throw failure("after row \(top) of \(header.height)")
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
