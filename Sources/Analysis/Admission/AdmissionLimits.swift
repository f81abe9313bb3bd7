/// What may wait for its turn, and for how long.
public struct AdmissionLimits: Sendable, Equatable {
    /// Most images that wait, at least 1.
    public var images: Int
    /// Most bytes of image files that wait, at least 1.
    public var bytes: Int
    /// Longest time that an image waits.
    public var timeout: Duration

    /// 256 images or 256 MiB, for 15 seconds.
    public init(images: Int = 256, bytes: Int = 256 << 20, timeout: Duration = .seconds(15)) {
        self.images = images
        self.bytes = bytes
        self.timeout = timeout
    }
}
