/// Takes a picture row by row as it is decoded, so that the whole of it is never in memory.
protocol RowSink: AnyObject {
    /// Called once for each row, from the top as stored.
    ///
    /// - Parameter row: Pixels of four bytes, red in the lowest and nothing of meaning in the highest. Valid only
    ///   during the call.
    func take(_ row: UnsafeBufferPointer<UInt32>)
}
