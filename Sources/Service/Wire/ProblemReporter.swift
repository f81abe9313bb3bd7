import HTTPServer
import Telemetry

/// Turns what went wrong into what the client is told, and tells the log what the client isn't.
struct ProblemReporter: Sendable {
    let logger: Logger

    /// The problem for an error of this request, or of one of its images.
    func problem(for error: any Error, of request: Request) -> Problem {
        let problem = Problem(error)
        if problem.status == .internalServerError {
            logger.log(
                .error, event: "request_failed",
                fields: ["request_id": .string(request.id), "reason": .string("\(error)")])
        }
        return problem
    }
}
