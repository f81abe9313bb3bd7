/// What a ``SingleFlight`` gives to each of those who waited.
public struct FlightOutcome<Value: Sendable>: Sendable {
    /// What the work returned.
    public let value: Value
    /// Whether the work was started for this caller or for an earlier one.
    public let role: FlightRole
}

extension FlightOutcome: Equatable where Value: Equatable {}
