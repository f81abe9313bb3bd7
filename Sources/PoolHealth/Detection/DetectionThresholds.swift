/// When what is called a stall.
struct DetectionThresholds: Sendable {
    /// A probe without an answer for so long makes a pool suspected, at least.
    var suspicion: Duration = .milliseconds(50)
    /// And so many times as long as the slowest usual answer.
    var suspicionFactor = 10
    /// A probe without an answer for so long is a stall.
    var stall: Duration = .milliseconds(250)
    /// A stall of this length is severe.
    var severe: Duration = .seconds(2)
    /// So long nearly all threads have to be blocked for the pool to be at risk.
    var risk: Duration = .milliseconds(500)
    /// Ticks with good answers, in a row, that end a stall.
    var goodTicks = 3
    /// A tick that comes so much too late was a pause of the whole process.
    var pause: Duration = .milliseconds(250)
    /// The share of the time that has to be throttled for the quota to be the cause.
    var throttledShare = 0.1
    /// The share of the time that the monitor itself has to be held up for the host to be the cause.
    var pausedShare = 0.5
    /// A machine whose processors have less idle time than this is busy.
    var busyMachineIdleShare = 0.05
}
