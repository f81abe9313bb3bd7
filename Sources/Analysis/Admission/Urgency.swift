import Scheduling

/// How long an image can wait, and what happens where that is too long.
public struct Urgency: Sendable {
    /// The line it waits in.
    public var priority: WaitPriority
    /// When its result has to be there.
    public var deadline: ContinuousClock.Instant?
    /// Whether it is refused where the line is too long. Otherwise it waits: whoever sends such images is slowed down
    /// instead.
    public var mayBeRefused: Bool

    /// Somebody waits for this one image.
    public static func interactive(deadline: ContinuousClock.Instant? = nil) -> Urgency {
        Urgency(priority: .interactive, deadline: deadline, mayBeRefused: true)
    }

    /// One of many, which are taken on one after the other as there is room.
    public static let batch = Urgency(priority: .batch, deadline: nil, mayBeRefused: false)

    /// The same, for an image whose group was let in already.
    var admitted: Urgency {
        Urgency(priority: priority, deadline: deadline, mayBeRefused: false)
    }
}
