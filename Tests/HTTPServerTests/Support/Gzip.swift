import CZlib

@testable import HTTPServer

/// What a decoder made of a whole input.
struct InflateOutcome: Equatable {
    var content: [UInt8] = []
    var largestPiece = 0
    var error: GzipError?

    var text: String { String(decoding: content, as: UTF8.self) }
}

/// Feeds the pieces to one decoder.
func inflated(_ pieces: [[UInt8]], inputLimit: Int = 1024, outputLimit: Int = 1024) -> InflateOutcome {
    var outcome = InflateOutcome()
    var decoder = GzipDecoder(inputLimit: inputLimit, outputLimit: outputLimit)
    do throws(GzipError) {
        for piece in pieces {
            var position = 0
            var content: [UInt8]
            repeat {
                content = try decoder.next(piece, from: &position)
                outcome.content += content
                outcome.largestPiece = max(outcome.largestPiece, content.count)
            } while !content.isEmpty || position < piece.count
        }
        try decoder.finish()
    } catch {
        outcome.error = error
    }
    return outcome
}

/// Compresses with zlib itself, not with the code under test.
func gzipped(_ content: [UInt8]) -> [UInt8] {
    var stream = z_stream()
    return withUnsafeMutablePointer(to: &stream) { stream in
        _ = czlib_deflate_begin(stream, 9)
        defer { deflateEnd(stream) }
        let bound = Int(deflateBound(stream, uLong(content.count)))
        return content.withUnsafeBufferPointer { content in
            [UInt8](unsafeUninitializedCapacity: bound) { output, count in
                stream.pointee.next_in = content.baseAddress
                stream.pointee.avail_in = uInt(content.count)
                stream.pointee.next_out = output.baseAddress
                stream.pointee.avail_out = uInt(bound)
                _ = deflate(stream, Z_FINISH)
                count = bound - Int(stream.pointee.avail_out)
            }
        }
    }
}

/// Bytes from hexadecimal digits.
func bytes(hex: String) -> [UInt8] {
    let digits = hex.compactMap(\.hexDigitValue)
    return stride(from: 0, to: digits.count, by: 2).map { UInt8(digits[$0] * 16 + digits[$0 + 1]) }
}
