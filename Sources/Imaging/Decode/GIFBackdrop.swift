import Scheduling

/// Draws a GIF's first frame on its screen as Pillow's `convert("RGB")` shows it: transparent pixels in the colour that
/// the palette has for them, and what the frame leaves free in that colour too, all of these with an alpha of 0.
///
/// The decoder is given the frame alone (``GIFFirstFrame/file(from:)``) and makes transparent pixels black.
final class GIFBackdrop: RowSink {
    private let sink: any RowSink
    private let frame: GIFFirstFrame
    private let cancellation: CancellationFlag
    private let row: RowBuffer<UInt32>
    private let color: UInt32

    /// - Parameter sink: Is given the rows of the screen.
    init(frame: GIFFirstFrame, sink: any RowSink, cancellation: CancellationFlag) {
        self.frame = frame
        self.sink = sink
        self.cancellation = cancellation
        row = RowBuffer(count: frame.screenWidth)
        let backdrop = frame.backdrop
        color = UInt32(backdrop.red) | UInt32(backdrop.green) << 8 | UInt32(backdrop.blue) << 16
    }

    /// The rows above the frame, before its first one is taken.
    ///
    /// - Throws: `CancellationError` once the flag is set.
    func paintAbove() throws {
        row.elements.update(repeating: color)
        try paint(rows: frame.rows.lowerBound)
    }

    /// The rows below the frame, when its last one was taken.
    ///
    /// - Throws: `CancellationError` once the flag is set.
    func paintBelow() throws {
        row.elements.update(repeating: color)
        try paint(rows: frame.screenHeight - frame.rows.upperBound)
    }

    private func paint(rows: Int) throws {
        for _ in 0..<rows {
            if cancellation.isCancelled { throw CancellationError() }
            sink.take(UnsafeBufferPointer(row.elements))
        }
    }

    /// - Parameter source: A row of the frame.
    func take(_ source: UnsafeBufferPointer<UInt32>) {
        let left = frame.columns.lowerBound
        for column in source.indices {
            let pixel = source[column]
            row.start[left + column] = pixel >> 24 == 0 ? color : pixel
        }
        sink.take(UnsafeBufferPointer(row.elements))
    }
}
