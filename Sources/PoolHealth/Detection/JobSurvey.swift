/// Whose jobs the blocked threads of a pool are in, told from their stacks.
struct JobSurvey: Equatable, Sendable {
    /// Threads with a frame of the function that runs Swift's jobs.
    var ofSwift = 0
    /// Threads without: blocks of Dispatch.
    var ofDispatch = 0

    var isMostlyDispatch: Bool { ofDispatch > ofSwift }
}
