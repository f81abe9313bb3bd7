/// A request that is being worked on.
public struct InFlightEntry: Sendable, Equatable {
    /// The first 32 bytes of what the request is called.
    public let identifier: String
    /// Where it is.
    public let stage: String
    /// How long it has been worked on.
    public let age: Duration
}
