/// A request that is being worked on.
public struct InFlightEntry: Sendable, Equatable {
    /// The first 32 bytes of what the request is called.
    public let identifier: String
    /// Where it is.
    public let stage: String
    /// How long it has been worked on.
    public let age: Duration

    /// The stage that most of them are in; `none` without a request.
    static func commonStage(_ entries: [InFlightEntry]) -> String {
        Dictionary(entries.map { ($0.stage, 1) }, uniquingKeysWith: +).max { $0.value < $1.value }?.key ?? "none"
    }
}
