/// What a connection was doing when its client left.
public enum DisconnectPhase: String, Sendable, CaseIterable {
    /// A request's head had begun.
    case readingHead = "reading_head"
    /// A body was coming in.
    case readingBody = "reading_body"
    /// The request was there, its response not begun.
    case handling
    /// The response had been begun.
    case writing
}
