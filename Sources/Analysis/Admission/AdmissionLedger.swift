import Scheduling

/// Who waits, how fast the line moves, and so who is let in: no lock, no clock.
struct AdmissionLedger {
    /// The newest turn's weight in the mean: with 1/16, some 30 turns decide.
    private static let weightOfNewest = 1.0 / 16

    private let limits: AdmissionLimits
    /// Images that are worked on side by side.
    private let turns: Int
    private var interactive = Line()
    private var batch = Line()
    /// Those of both who may be refused: the limits are theirs alone. Whoever may not is slowed down by itself, and
    /// must not fill the line for the others.
    private var refusable = Line()
    /// How long an image has its turn, in the mean; nil until one had.
    private var meanTurn: Duration?

    private struct Line {
        var images = 0
        var bytes = 0

        mutating func add(images: Int, bytes: Int) {
            self.images += images
            self.bytes += bytes
        }
    }

    init(limits: AdmissionLimits, turns: Int) {
        self.limits = limits
        self.turns = turns
    }

    /// Images of both priorities that wait.
    var waitingImages: Int { interactive.images + batch.images }

    /// Bytes of the files that wait, of both priorities.
    var waitingBytes: Int { interactive.bytes + batch.bytes }

    /// When an interactive image's turn would come that joins the line now: behind all interactive ones, and one batch
    /// image for every few of them. Zero as long as nothing was measured.
    var estimatedWait: Duration {
        guard let meanTurn else { return .zero }
        let batchTurns = min(batch.images, interactive.images / CancellableSemaphore.interactiveGrantsPerBatchGrant)
        return meanTurn * (interactive.images + batchTurns) / turns
    }

    /// Why an interactive image is not let in; nil if it is. Images that may not be refused never count against it.
    ///
    /// - Parameter timeLeft: Until its deadline; nil without one.
    func refusal(of bytes: Int, timeLeft: Duration?) -> Overload? {
        let wait = estimatedWait
        if refusable.images >= limits.images {
            return Overload(reason: .images, retryAfter: wait)
        }
        // A file larger than all that may wait is let in where nothing waits: only then is there room for it.
        if refusable.images > 0, refusable.bytes + bytes > limits.bytes {
            return Overload(reason: .bytes, retryAfter: wait)
        }
        if wait > limits.timeout || isTooLate(wait, timeLeft) {
            return Overload(reason: .hopeless, retryAfter: wait)
        }
        return nil
    }

    /// Whether a turn that begins after the wait would end after the deadline: the work would be done for nobody.
    private func isTooLate(_ wait: Duration, _ timeLeft: Duration?) -> Bool {
        guard let timeLeft, let meanTurn else { return false }
        return wait + meanTurn > timeLeft
    }

    /// An image joins the line.
    mutating func join(_ bytes: Int, _ priority: WaitPriority, mayBeRefused: Bool) {
        add(images: 1, bytes: bytes, priority, mayBeRefused)
    }

    /// An image leaves the line, whether its turn came or not.
    mutating func leave(_ bytes: Int, _ priority: WaitPriority, mayBeRefused: Bool) {
        add(images: -1, bytes: -bytes, priority, mayBeRefused)
    }

    private mutating func add(images: Int, bytes: Int, _ priority: WaitPriority, _ mayBeRefused: Bool) {
        switch priority {
        case .interactive: interactive.add(images: images, bytes: bytes)
        case .batch: batch.add(images: images, bytes: bytes)
        }
        if mayBeRefused {
            refusable.add(images: images, bytes: bytes)
        }
    }

    /// An image's turn is over, and was used to its end.
    mutating func turnEnded(after duration: Duration) {
        guard let mean = meanTurn else {
            meanTurn = duration
            return
        }
        meanTurn = mean + (duration - mean) * Self.weightOfNewest
    }
}
