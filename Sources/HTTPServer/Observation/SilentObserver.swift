/// An observer that takes no notice.
public struct SilentObserver: ServerObserver {
    /// Makes one.
    public init() {}
}
