/// There is more work than can be done in time: the image was refused without any work on it.
public struct Overload: Error, Equatable, Sendable {
    /// What there is too much of.
    public enum Reason: String, CaseIterable, Sendable {
        /// As many images wait as may.
        case images = "queue_images"
        /// As many bytes wait as may.
        case bytes = "queue_bytes"
        /// At the measured rate its turn would end after its deadline, or come later than an image may wait.
        case hopeless
        /// It has waited for as long as an image may.
        case timeout = "queue_timeout"
    }

    /// What there is too much of.
    public let reason: Reason
    /// When those who wait now will have had their turn, by the measured rate.
    public let retryAfter: Duration
}
