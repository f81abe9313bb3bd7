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
    /// How long an image has its turn, in the mean; nil until one had.
    private var meanTurn: Duration?

    /// One priority's line.
    private struct Line {
        var images = 0
        var bytes = 0
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

    /// Why an interactive image is not let in; nil if it is. Batch images never count against it: they are taken on as
    /// there is room for them.
    ///
    /// - Parameter timeLeft: Until its deadline; nil without one.
    func refusal(of bytes: Int, timeLeft: Duration?) -> Overload? {
        let wait = estimatedWait
        if interactive.images >= limits.images {
            return Overload(reason: .images, retryAfter: wait)
        }
        // A file larger than all that may wait is let in where nothing waits: only then is there room for it.
        if interactive.images > 0, interactive.bytes + bytes > limits.bytes {
            return Overload(reason: .bytes, retryAfter: wait)
        }
        if wait > min(limits.timeout, timeLeft ?? limits.timeout) {
            return Overload(reason: .hopeless, retryAfter: wait)
        }
        return nil
    }

    /// An image joins the line.
    mutating func join(_ bytes: Int, _ priority: WaitPriority) {
        change(priority, images: 1, bytes: bytes)
    }

    /// An image leaves the line, whether its turn came or not.
    mutating func leave(_ bytes: Int, _ priority: WaitPriority) {
        change(priority, images: -1, bytes: -bytes)
    }

    private mutating func change(_ priority: WaitPriority, images: Int, bytes: Int) {
        switch priority {
        case .interactive:
            interactive.images += images
            interactive.bytes += bytes
        case .batch:
            batch.images += images
            batch.bytes += bytes
        }
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
