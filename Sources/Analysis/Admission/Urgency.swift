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
    /// What it shares with the other images of its group.
    var pass: AdmissionPass?

    /// - Parameters: as the properties say.
    public init(priority: WaitPriority, deadline: ContinuousClock.Instant?, mayBeRefused: Bool) {
        self.priority = priority
        self.deadline = deadline
        self.mayBeRefused = mayBeRefused
    }

    /// Somebody waits for this one image.
    public static func interactive(deadline: ContinuousClock.Instant? = nil) -> Urgency {
        Urgency(priority: .interactive, deadline: deadline, mayBeRefused: true)
    }

    /// One of many, which are taken on one after the other as there is room.
    public static let batch = Urgency(priority: .batch, deadline: nil, mayBeRefused: false)

    /// The same for all images of a group.
    func sharing(_ pass: AdmissionPass) -> Urgency {
        var urgency = self
        urgency.pass = pass
        return urgency
    }

    /// Lets an image in, if its group has one by the group's decision.
    ///
    /// - Parameter refusal: Why the image itself is to be refused.
    /// - Returns: Whether it had been promised its turn when another image of its group was let in.
    /// - Throws: The image's refusal, or its group's.
    @discardableResult
    func admit(unless refusal: Overload?) throws(Overload) -> Bool {
        if let pass { return try pass.admit(unless: refusal) }
        if let refusal { throw refusal }
        return false
    }
}
