/// Why something can't be done with a job.
public enum JobError: Error, Equatable, Sendable {
    /// As many jobs as may be are under way.
    case tooManyJobs(limit: Int)
    /// The service stops: no further job is begun, and one that was still being sent was given up.
    case stopping
    /// The job's own results, with the next picture, are more than all the memory that jobs may have.
    case tooLarge(limitBytes: Int)
    /// Jobs that have not ended, this one perhaps among them, hold the memory that jobs may have, and don't work it
    /// off: they are paused, or still being sent.
    case noRoom(limitBytes: Int)
    /// It has ended, so there is nothing to pause or to go on with.
    case hasEnded(JobEnd)
    /// It was given up while its pictures were still being sent, or forgotten before somebody had read all its results.
    case cancelled
}
