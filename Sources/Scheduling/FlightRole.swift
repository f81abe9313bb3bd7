/// How somebody came by the value of a ``SingleFlight``.
public enum FlightRole: String, Sendable, CaseIterable {
    /// Nobody was at it: the work was started for this caller.
    case leader
    /// The work was under way already; this caller waited for its end.
    case joined
}
