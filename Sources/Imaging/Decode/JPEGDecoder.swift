import CJPEG
import Scheduling

/// Decodes a JPEG row by row with libjpeg-turbo.
///
/// Warnings of the library (stray bytes, a restart marker out of order) are tolerated as Pillow tolerates them; missing
/// bytes and errors are not.
struct JPEGDecoder {
    /// Progressive pictures have about ten scans. Each scan can be a few bytes long and still touch every block of the
    /// picture, so their number has to be bounded.
    static let maximumScans = 100

    let file: ImageFile
    let reduction: JPEGReduction
    let cancellation: CancellationFlag

    /// - Throws: ``ImagingError/broken(format:what:where:)``, or `CancellationError` at the next row once the flag is
    ///   set.
    func decode(into sink: any RowSink) throws {
        try file.bytes.withUnsafeBufferPointer { bytes in
            // The decoder lives within the scope of the bytes it reads.
            guard let decoder = cjpeg_create(bytes.baseAddress, bytes.count) else {
                throw broken("the decoder got no memory", "before the header")
            }
            defer { cjpeg_destroy(decoder) }
            try start(decoder)
            if cjpeg_has_multiple_scans(decoder) != 0 { try takeInScans(decoder) }
            try decodeRows(decoder, into: sink)
        }
    }

    private func start(_ decoder: OpaquePointer) throws {
        try check(cjpeg_read_header(decoder), decoder, "in the header")
        guard Int(cjpeg_width(decoder)) == file.header.width, Int(cjpeg_height(decoder)) == file.header.height else {
            throw broken("two headers announce different sizes", "in the header")
        }
        let components = Int(cjpeg_component_count(decoder))
        guard [1, 3, 4].contains(components) else {
            throw broken("\(components) colour components", "in the header")
        }
        try check(cjpeg_start(decoder, UInt32(reduction.divisor)), decoder, "in the header")
    }

    private func takeInScans(_ decoder: OpaquePointer) throws {
        var scan = 1
        while true {
            try throwIfCancelled()
            let status = cjpeg_consume(decoder)
            switch status {
            case CJPEG_DONE:
                return try check(cjpeg_start_output(decoder), decoder, "after scan \(scan)")
            case CJPEG_TOOK_ROW:
                continue
            case CJPEG_SCAN_ENDED:
                scan += 1
                guard scan <= Self.maximumScans else {
                    throw broken("more than \(Self.maximumScans) scans", "after scan \(Self.maximumScans)")
                }
            default:
                try check(status, decoder, "in scan \(scan)")
            }
        }
    }

    private func decodeRows(_ decoder: OpaquePointer, into sink: any RowSink) throws {
        let width = Int(cjpeg_row_width(decoder))
        let height = Int(cjpeg_row_count(decoder))
        let isCMYK = cjpeg_row_layout(decoder) == CJPEG_CMYK
        let row = RowBuffer<UInt32>(count: width)
        for index in 0..<height {
            try throwIfCancelled()
            // Both layouts have four bytes a pixel.
            let status = row.start.withMemoryRebound(to: UInt8.self, capacity: width * 4) {
                cjpeg_read_row(decoder, $0)
            }
            try check(status, decoder, "after row \(index * reduction.divisor) of \(file.header.height)")
            if isCMYK { AdobeCMYK.convertToRGB(row.elements) }
            sink.take(UnsafeBufferPointer(row.elements))
        }
    }

    private func throwIfCancelled() throws {
        if cancellation.isCancelled { throw CancellationError() }
    }

    private func check(_ status: cjpeg_status, _ decoder: OpaquePointer, _ place: @autoclosure () -> String) throws {
        switch status {
        case CJPEG_STARVED: throw broken("the data ends early", place())
        case CJPEG_FAILED: throw broken(String(cString: cjpeg_message(decoder)), place())
        default: return
        }
    }

    private func broken(_ what: String, _ place: String) -> ImagingError {
        .broken(format: .jpeg, what: what, where: place)
    }
}
