import CZlib

/// Deflates to gzip (RFC 1952): content in, one compressed member out, no I/O. The same content gives the same bytes.
///
/// Costs about 256 KiB while it lives.
struct GzipEncoder: ~Copyable {
    /// How much the output grows at a time.
    private static let outputStepBytes = 16 * 1024

    /// zlib keeps the address, so that the stream can't live inside this value. Owned: freed by `deinit`.
    private let stream: UnsafeMutablePointer<z_stream>

    /// Makes an encoder; nil when there is no memory for it.
    /// - Parameter level: 1, fastest, to 9, smallest.
    init?(level: Int32) {
        let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
        stream.initialize(to: z_stream())
        guard czlib_deflate_begin(stream, level) == Z_OK else {
            stream.deallocate()
            return nil
        }
        self.stream = stream
    }

    deinit {
        deflateEnd(stream)
        stream.deallocate()
    }

    /// Deflates a piece of the content.
    /// - Parameters:
    ///   - isLast: No more will come; the checksum is written.
    ///   - output: Where the compressed bytes are added, as far as zlib gives them out.
    mutating func append(_ content: ArraySlice<UInt8>, isLast: Bool, to output: inout [UInt8]) {
        // The pointers are used by zlib only within this function; the output's only within one call.
        content.withUnsafeBufferPointer { content in
            stream.pointee.next_in = content.baseAddress
            stream.pointee.avail_in = uInt(content.count)
            repeat {
                output += [UInt8](unsafeUninitializedCapacity: Self.outputStepBytes) { buffer, count in
                    stream.pointee.next_out = buffer.baseAddress
                    stream.pointee.avail_out = uInt(buffer.count)
                    // Fails for a stream that is used wrongly only.
                    _ = deflate(stream, isLast ? Z_FINISH : Z_NO_FLUSH)
                    count = buffer.count - Int(stream.pointee.avail_out)
                }
                // Room that is left means that zlib has nothing more to give out.
            } while stream.pointee.avail_out == 0
        }
    }
}
