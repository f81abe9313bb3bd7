import Threads

/// What the images of a group share: the first that asks for its turn decides for all of them.
///
/// The decision is made and remembered in one step, so that of two images that ask at the same moment one can't be let
/// in and the other refused.
final class AdmissionPass: Sendable {
    private enum Decision {
        case none
        case letIn
        case refused(Overload)
    }

    /// Guards the decision; nothing is called while it is held.
    private let decision = Locked(Decision.none)

    /// Lets an image in, as the first of the group or as was decided then.
    ///
    /// - Parameter refusal: Why the image is to be refused, should it be the first.
    /// - Returns: Whether another image had been let in before, by which this one was promised its turn.
    /// - Throws: The group's refusal, from the first one on.
    func admit(unless refusal: Overload?) throws(Overload) -> Bool {
        try decision.withLock { decision throws(Overload) in
            switch decision {
            case .letIn:
                return true
            case .refused(let refusal):
                throw refusal
            case .none:
                if let refusal {
                    decision = .refused(refusal)
                    throw refusal
                }
                decision = .letIn
                return false
            }
        }
    }

    /// The image by which the group was let in has waited for its turn in vain: no other is let in from here on.
    func revoke(_ refusal: Overload) {
        decision.withLock { $0 = .refused(refusal) }
    }
}
