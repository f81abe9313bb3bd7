import CZlib

/// Inflates gzip (RFC 1952): compressed pieces in, bounded pieces of content out, no I/O.
///
/// A file is a series of members (section 2.2), whose contents are joined; no member at all is empty content. Bytes
/// behind a member that don't begin another one are an error, where the gzip command ignores them with a warning: the
/// standard gives them no meaning, and two readers could differ on what was sent.
///
/// Costs about 40 KiB while it lives, whatever the input says.
struct GzipDecoder: ~Copyable {
    /// The first byte of every member.
    private static let firstMagicByte: UInt8 = 0x1F

    private enum Place {
        /// Before the first member.
        case start
        case member
        case betweenMembers
    }

    /// zlib keeps the address, so that the stream can't live inside this value. Owned: freed by `deinit`.
    private let stream: UnsafeMutablePointer<z_stream>
    private let inputLimit: Int
    private let outputLimit: Int
    private var place = Place.start
    private var beginStatus: Int32

    /// Makes a decoder.
    /// - Parameters:
    ///   - inputLimit: Most bytes that one step takes: what bounds the time of a step that makes nothing of them.
    ///   - outputLimit: Most bytes that one step makes: what bounds the memory that a bomb can take.
    init(inputLimit: Int, outputLimit: Int) {
        precondition(inputLimit > 0 && outputLimit > 0, "a step has to get on")
        self.inputLimit = inputLimit
        self.outputLimit = outputLimit
        stream = .allocate(capacity: 1)
        stream.initialize(to: z_stream())
        beginStatus = czlib_inflate_begin(stream)
    }

    deinit {
        inflateEnd(stream)
        stream.deallocate()
    }

    /// Inflates the next bytes of the input, one member's at most.
    /// - Parameter position: Where to go on in the input; moved behind what was taken.
    /// - Returns: Content, which may be none. It wants more input when there is none and all of the input is taken.
    mutating func next(_ input: [UInt8], from position: inout Int) throws(GzipError) -> [UInt8] {
        guard beginStatus == Z_OK else { throw .outOfMemory }
        if place != .member {
            guard position < input.count else { return [] }
            guard place == .start || input[position] == Self.firstMagicByte else { throw .trailingBytes }
            place = .member
        }
        let (status, output) = step(input, from: &position)
        switch status {
        case Z_STREAM_END:
            inflateReset(stream)
            place = .betweenMembers
        case Z_OK, Z_BUF_ERROR:
            break
        case Z_MEM_ERROR:
            throw .outOfMemory
        default:
            throw .corrupt
        }
        return output
    }

    /// The input is over.
    func finish() throws(GzipError) {
        guard place != .member else { throw .truncated }
    }

    /// One call of zlib. It may take all of its input and still hold content back, which the next call gives out.
    private func step(_ input: [UInt8], from position: inout Int) -> (status: Int32, output: [UInt8]) {
        var status = Z_OK
        let taken = position..<min(input.count, position + inputLimit)
        let output = [UInt8](unsafeUninitializedCapacity: outputLimit) { output, count in
            // Both pointers are used by zlib only within this call.
            input.withUnsafeBufferPointer { input in
                stream.pointee.next_in = input.baseAddress.map { $0 + taken.lowerBound }
                stream.pointee.avail_in = uInt(taken.count)
                stream.pointee.next_out = output.baseAddress
                stream.pointee.avail_out = uInt(output.count)
                status = inflate(stream, Z_NO_FLUSH)
                count = output.count - Int(stream.pointee.avail_out)
            }
        }
        position = taken.upperBound - Int(stream.pointee.avail_in)
        return (status, output)
    }
}
