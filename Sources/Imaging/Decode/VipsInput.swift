import CVips

/// What libvips reads: some parts of a file, one behind the other, without a copy of them.
struct VipsInput {
    private let bytes: [UInt8]
    private let ranges: [Range<Int>]
    private let ending: [UInt8]

    /// - Parameters:
    ///   - bytes: A file.
    ///   - ranges: The parts of it that are read.
    ///   - ending: What is read behind these.
    init(_ bytes: [UInt8], ranges: [Range<Int>], ending: [UInt8]) {
        self.bytes = bytes
        self.ranges = ranges
        self.ending = ending
    }

    /// A file as it is.
    init(_ bytes: [UInt8]) {
        self.init(bytes, ranges: [bytes.indices], ending: [])
    }

    /// - Parameter body: Is given pieces that are good until it returns.
    func withPieces<Result>(_ body: (UnsafeBufferPointer<cvips_piece>) throws -> Result) rethrows -> Result {
        try bytes.withUnsafeBufferPointer { bytes in
            try ending.withUnsafeBufferPointer { ending in
                let parts = ranges.map { UnsafeBufferPointer(rebasing: bytes[$0]) } + (ending.isEmpty ? [] : [ending])
                let pieces = parts.map { cvips_piece(bytes: $0.baseAddress, count: $0.count) }
                return try pieces.withUnsafeBufferPointer(body)
            }
        }
    }
}
