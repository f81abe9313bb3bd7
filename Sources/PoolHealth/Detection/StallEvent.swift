/// What the detector has to say after a tick.
enum StallEvent: Sendable, Equatable {
    /// Nearly all threads of the pool are blocked; nobody starves yet.
    case riskBegan(Pool)
    case riskEnded(Pool)
    case began(Stall)
    /// A stall whose cause was unknown, or not sure, has a better one now.
    case explained(Stall, former: StallCause)
    case becameSevere(Stall)
    case ended(Stall)
}
