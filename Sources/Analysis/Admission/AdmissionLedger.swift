/// Who waits, how fast the line moves, and so who is let in: no lock, no clock.
struct AdmissionLedger {
    /// The newest turn's weight in the mean: with 1/16, some 30 turns decide.
    private static let weightOfNewest = 1.0 / 16

    private let limits: AdmissionLimits
    /// Images that are worked on side by side.
    private let turns: Int
    private(set) var waitingImages = 0
    private(set) var waitingBytes = 0
    /// How long an image has its turn, in the mean; nil until one had.
    private var meanTurn: Duration?

    init(limits: AdmissionLimits, turns: Int) {
        self.limits = limits
        self.turns = turns
    }

    /// When an image's turn would come that joins the line now. Zero as long as nothing was measured.
    var estimatedWait: Duration {
        guard let meanTurn else { return .zero }
        return meanTurn * waitingImages / turns
    }

    /// Why an image is not let in; nil if it is.
    ///
    /// - Parameter timeLeft: Until its deadline; nil without one.
    func refusal(of bytes: Int, timeLeft: Duration?) -> Overload? {
        let wait = estimatedWait
        if waitingImages >= limits.images {
            return Overload(reason: .images, retryAfter: wait)
        }
        // A file larger than all that may wait is let in where nothing waits: only then is there room for it.
        if waitingImages > 0, waitingBytes + bytes > limits.bytes {
            return Overload(reason: .bytes, retryAfter: wait)
        }
        if wait > min(limits.timeout, timeLeft ?? limits.timeout) {
            return Overload(reason: .hopeless, retryAfter: wait)
        }
        return nil
    }

    /// An image joins the line.
    mutating func join(_ bytes: Int) {
        waitingImages += 1
        waitingBytes += bytes
    }

    /// An image leaves the line, whether its turn came or not.
    mutating func leave(_ bytes: Int) {
        waitingImages -= 1
        waitingBytes -= bytes
    }

    /// An image's turn is over.
    mutating func turnEnded(after duration: Duration) {
        guard let mean = meanTurn else {
            meanTurn = duration
            return
        }
        meanTurn = mean + (duration - mean) * Self.weightOfNewest
    }
}
