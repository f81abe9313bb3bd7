/// Makes libvips draw a GIF as Pillow's `convert("RGB")` shows it: transparent pixels in the colour that the palette has
/// for them, and what the frame leaves free in that colour too.
///
/// libvips would make both transparent black, and an animation's first frame is often transparent in large parts.
final class GIFBackdrop: RowSink {
    /// The file, with no index declared as transparent.
    let opaqueBytes: [UInt8]

    private let sink: any RowSink
    private let frame: GIFFirstFrame
    private let row: RowBuffer<UInt32>
    private let color: UInt32
    private var nextRow = 0

    init(_ bytes: [UInt8], sink: any RowSink) throws(ImagingError) {
        frame = try GIFFirstFrame(bytes)
        var opaque = bytes
        if let offset = frame.transparencyFlagOffset { opaque[offset] &= ~1 }
        opaqueBytes = opaque
        row = RowBuffer(count: frame.screenWidth)
        let backdrop = frame.backdrop
        color = UInt32(backdrop.red) | UInt32(backdrop.green) << 8 | UInt32(backdrop.blue) << 16
        self.sink = sink
    }

    func take(_ source: UnsafeBufferPointer<UInt32>) {
        let covered = frame.rows.contains(nextRow) ? frame.columns : 0..<0
        for column in row.elements.indices {
            row.start[column] = covered.contains(column) ? source[column] : color
        }
        nextRow += 1
        sink.take(UnsafeBufferPointer(row.elements))
    }
}
