/// Walks the marker segments of a JPEG up to the first scan (ITU-T T.81, annex B).
struct JPEGHeaderReader {
    private enum Marker {
        static let temporary = 0x01
        static let restarts = 0xD0...0xD7
        static let startOfImage = 0xD8
        static let endOfImage = 0xD9
        static let startOfScan = 0xDA
        static let app1 = 0xE1
        /// SOF0…SOF15 without DHT, JPG and DAC, which lie between them.
        static let frames = Set(0xC0...0xCF).subtracting([0xC4, 0xC8, 0xCC])
        /// SOF2, SOF6, SOF10 and SOF14.
        static let progressiveFrames: Set = [0xC2, 0xC6, 0xCA, 0xCE]
    }

    private struct Frame {
        let width: Int
        let height: Int
        let isProgressive: Bool
        let components: [JPEGStorage.Sampling]
    }

    private let bytes: [UInt8]
    private let reader: ByteReader
    private var frame: Frame?
    private var exif: [UInt8] = []
    private var xmp: ArraySlice<UInt8>?

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        reader = ByteReader(bytes, order: .bigEndian)
    }

    func read() throws(ImagingError) -> HeaderAnnouncement {
        var walk = self
        return try walk.walkSegments()
    }

    private mutating func walkSegments() throws(ImagingError) -> HeaderAnnouncement {
        var offset = 2
        for _ in 0..<HeaderLimits.maximumBlocks {
            let marker = try nextMarker(&offset)
            switch marker {
            case Marker.temporary, Marker.startOfImage, Marker.restarts:
                continue
            case Marker.startOfScan:
                return try announcement(at: offset)
            case Marker.endOfImage:
                throw broken("the picture ends before its first scan", at: offset)
            default:
                guard let length = reader.integer16(at: offset) else { throw endsEarly(at: offset) }
                guard length >= 2 else { throw broken("a segment is shorter than its length field", at: offset) }
                guard let segment = reader.slice(at: offset + 2, length: length - 2) else {
                    throw endsEarly(at: offset)
                }
                try take(segment, marker: marker, at: offset)
                offset += length
            }
        }
        throw broken("more than \(HeaderLimits.maximumBlocks) segments before the first scan", at: offset)
    }

    /// Skips what is no marker, as every decoder does, and fill bytes.
    private func nextMarker(_ offset: inout Int) throws(ImagingError) -> Int {
        let end = min(bytes.count, offset + HeaderLimits.maximumFillBytes)
        while offset + 1 < end {
            defer { offset += 1 }
            if bytes[offset] == 0xFF, bytes[offset + 1] != 0xFF, bytes[offset + 1] != 0 {
                offset += 1
                return Int(bytes[offset])
            }
        }
        guard end == bytes.count else { throw broken("no marker for \(HeaderLimits.maximumFillBytes) bytes", at: end) }
        throw endsEarly(at: bytes.count)
    }

    private mutating func take(_ segment: ArraySlice<UInt8>, marker: Int, at offset: Int) throws(ImagingError) {
        let fields = ByteReader(segment, order: .bigEndian)
        if marker == Marker.app1 {
            takeMetadata(segment)
        } else if Marker.frames.contains(marker), frame == nil {
            guard let height = fields.integer16(at: 1), let width = fields.integer16(at: 3) else {
                throw broken("the frame header is too short", at: offset)
            }
            frame = Frame(
                width: width, height: height, isProgressive: Marker.progressiveFrames.contains(marker),
                components: samplings(fields))
        }
    }

    /// Three bytes for each component: its name, both factors, its table. Those that are missing are left away; the
    /// decoder refuses such a frame.
    private func samplings(_ frame: ByteReader) -> [JPEGStorage.Sampling] {
        (0..<(frame.byte(at: 5) ?? 0)).compactMap { index in
            frame.byte(at: 6 + 3 * index + 1).map { JPEGStorage.Sampling(horizontal: $0 >> 4, vertical: $0 & 15) }
        }
    }

    /// A long EXIF block is split over several segments, each with the prefix.
    private mutating func takeMetadata(_ segment: ArraySlice<UInt8>) {
        let exifPrefix = Array("Exif".utf8) + [0, 0]
        let xmpPrefix = Array("http://ns.adobe.com/xap/1.0/".utf8) + [0]
        if segment.starts(with: exifPrefix) {
            exif += exif.isEmpty ? segment : segment.dropFirst(exifPrefix.count)
        } else if segment.starts(with: xmpPrefix) {
            xmp = segment.dropFirst(xmpPrefix.count)
        }
    }

    /// - Parameter offset: The start of the first scan's header, whose length is followed by its count of components.
    private func announcement(at offset: Int) throws(ImagingError) -> HeaderAnnouncement {
        guard let frame else { throw broken("there is no frame header before the first scan", at: offset) }
        let orientation = OrientationReader.read(exif: exif.isEmpty ? nil : exif[...], xmp: xmp)
        let componentsOfScan = reader.byte(at: offset + 2) ?? 0
        let storage = JPEGStorage(
            components: frame.components,
            hasMultipleScans: frame.isProgressive || componentsOfScan < frame.components.count)
        return HeaderAnnouncement(
            header: ImageHeader(format: .jpeg, width: frame.width, height: frame.height, orientation: orientation),
            storage: .jpeg(storage))
    }

    private func endsEarly(at offset: Int) -> ImagingError { broken("the header ends early", at: offset) }

    private func broken(_ what: String, at offset: Int) -> ImagingError {
        .broken(format: .jpeg, what: what, where: "at byte \(offset)")
    }
}
