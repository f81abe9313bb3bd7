/// What a tick of the monitor found out about one pool. Instants are on the monotonic clock, since the monitor's start.
struct PoolObservation: Sendable {
    /// A probe's answer.
    struct Answer: Equatable, Sendable {
        let sent: Duration
        let answered: Duration

        var latency: Duration { answered - sent }
    }

    /// When the oldest probe was sent that has no answer yet.
    var unansweredSince: Duration?
    /// The answers since the last tick, of all lanes of the pool.
    var answers: [Answer] = []
    var census = PoolCensus()
    /// Taken while the pool is suspected only.
    var survey: JobSurvey?
}
