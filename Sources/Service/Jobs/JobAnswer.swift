import Analysis

/// Writes what is told of jobs.
enum JobAnswer {
    /// One job.
    static func json(_ job: Job) -> [UInt8] { json(job.id, job.progress) }

    /// One job that may be gone.
    static func json(_ id: String, _ progress: JobProgress) -> [UInt8] {
        var json = JSONWriter()
        write(id, progress, to: &json)
        return json.bytes + [UInt8(ascii: "\n")]
    }

    /// Several jobs: `{"jobs":[…]}`.
    static func json(_ jobs: [(id: String, progress: JobProgress)]) -> [UInt8] {
        var json = JSONWriter()
        json.object { json in
            json.key("jobs")
            json.array(jobs) { write($1.id, $1.progress, to: &$0) }
        }
        return json.bytes + [UInt8(ascii: "\n")]
    }

    private static func write(_ id: String, _ progress: JobProgress, to json: inout JSONWriter) {
        json.object { json in
            json.member("id", id)
            json.member("state", progress.state.rawValue)
            json.member("priority", progress.priority == .batch ? "batch" : "interactive")
            json.member("total", progress.total)
            json.member("done", progress.done)
            json.member("failed", progress.failed)
            json.member("cancelled", progress.cancelled)
            json.member("rate_per_second", progress.rate.map { Float(($0 * 10).rounded() / 10) })
            json.member("eta_seconds", progress.timeLeft.map { Int(($0 / .seconds(1)).rounded(.up)) })
        }
    }
}
