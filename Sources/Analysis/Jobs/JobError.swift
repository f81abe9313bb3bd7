/// Why something can't be done with a job.
public enum JobError: Error, Equatable, Sendable {
    /// As many jobs as may be are under way.
    case tooManyJobs(limit: Int)
    /// The job's results alone take all the memory that jobs may have.
    case tooLarge(limitBytes: Int)
    /// It has ended, so there is nothing to pause or to go on with.
    case hasEnded(JobEnd)
    /// It was given up while its pictures were still being sent, or while somebody read its results.
    case cancelled
}
