/// What the detector has to say after a tick.
enum StallEvent: Sendable, Equatable {
    /// Nearly all threads of the pool are blocked; nobody starves yet.
    case riskBegan(Pool)
    case riskEnded(Pool)
    case began(Stall)
    /// A stall whose cause was unknown has one now.
    case explained(Stall)
    case becameSevere(Stall)
    case ended(Stall)
}
