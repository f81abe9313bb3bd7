/// How full an ``Analyzer`` is.
public struct AnalyzerLoad: Sendable, Equatable {
    /// Images that wait for their turn.
    public let waitingImages: Int
    /// Bytes of the files that wait for their turn.
    public let waitingBytes: Int
    /// When the turn of an image would come that joins the line now, by the measured rate.
    public let estimatedWait: Duration
    /// What the pictures that are being decoded take, in bytes.
    public let memoryBytes: Int
    /// Different pictures that are waiting or being worked on.
    public let flights: Int
}
