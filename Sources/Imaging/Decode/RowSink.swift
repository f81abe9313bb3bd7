/// Takes a picture row by row as it is decoded, so that the whole of it is never in memory.
protocol RowSink: AnyObject {
    /// Called once for each row, from the top as stored.
    ///
    /// - Parameter row: Pixels of four bytes, red in the lowest and alpha in the highest, 255 where the picture has
    ///   none. Colours are not multiplied by it. Valid only during the call.
    func take(_ row: UnsafeBufferPointer<UInt32>)
}
