/// What is wrong with a request for a job.
enum JobRequestError: Error, Equatable {
    /// There is no job of this name.
    case unknownJob(String)
}
