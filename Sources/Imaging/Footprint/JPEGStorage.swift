/// What a JPEG's frame and first scan announce (ITU-T T.81, B.2.2 and B.2.3).
struct JPEGStorage: Hashable {
    /// Blocks of one colour component in a unit of all components (MCU).
    struct Sampling: Hashable {
        let horizontal: Int
        let vertical: Int

        /// - Parameters: What lies outside of 1...4 is refused by the decoder before it allocates; it counts as the
        ///   nearest.
        init(horizontal: Int, vertical: Int) {
            self.horizontal = min(max(horizontal, 1), 4)
            self.vertical = min(max(vertical, 1), 4)
        }
    }

    let components: [Sampling]
    /// Whether the picture is spread over several scans: progressive, or its components one after the other.
    let hasMultipleScans: Bool

    private static let blockSide = 8
    /// 64 coefficients of 16 bits.
    private static let blockBytes = 128
    /// libjpeg's own structures, its Huffman tables, and its pools' slack.
    private static let fixedBytes: ByteCount = 196_608
    /// Rows of blocks' samples that libjpeg keeps so that the upsampling sees the neighbours: 8 + 2.
    private static let rowsOfContext = 10

    func decoderBytes(width: Int, height: Int, reduction: JPEGReduction) -> ByteCount {
        let coefficients = hasMultipleScans ? coefficientBytes(width: width, height: height) : 0
        return Self.fixedBytes + coefficients + rowBytes(width: reduction.reduced(width))
    }

    /// libjpeg holds all coefficients of a picture with several scans, whatever the reduction. Each component is padded
    /// to whole MCUs.
    private func coefficientBytes(width: Int, height: Int) -> ByteCount {
        components.reduce(0) { sum, component in
            let columns = Self.blocks(width, component.horizontal, of: mostHorizontal)
            let rows = Self.blocks(height, component.vertical, of: mostVertical)
            return sum + columns * rows * Self.blockBytes
        }
    }

    /// Every component counts as if it was not subsampled, since a reduction is done less far for a subsampled one.
    private func rowBytes(width: Int) -> ByteCount {
        let padded = ByteCount(width).roundedUp(to: mostHorizontal * Self.blockSide)
        let perComponent = padded * (mostVertical * Self.rowsOfContext + mostVertical)
        return perComponent * components.count + ByteCount(width) * MemoryLayout<UInt32>.stride
    }

    private static func blocks(_ side: Int, _ factor: Int, of most: Int) -> ByteCount {
        let samples = (side * factor + most - 1) / most
        return ByteCount((samples + blockSide - 1) / blockSide).roundedUp(to: factor)
    }

    private var mostHorizontal: Int { components.map(\.horizontal).max() ?? 1 }
    private var mostVertical: Int { components.map(\.vertical).max() ?? 1 }
}
