import HTTPWire
import Scheduling

/// One request and its response, while it is open on a connection.
struct Exchange {
    /// Counts the connection's requests, so that a late answer to an earlier one is told apart.
    let number: Int
    /// The request's head; nil when it couldn't be read.
    let head: RequestHead?
    let requestID: String
    let start: ContinuousClock.Instant
    /// The name of its route.
    let route: String
    var pipe: BodyPipe?
    /// What the body holds of the memory for all bodies.
    var bodyAccount: BodyBudget.Account?
    var task: Task<Void, Never>?
    /// Why the task is cancelled, if it is.
    let cancellationCause = CancellationCause()
    var bodyBytesReceived = 0
    var status: HTTPStatus?
    var responseBytes = 0
    /// All of the response is in the output queue.
    var responseIsQueued = false

    func record(_ outcome: RequestRecord.Outcome, remoteAddress: SocketAddress) -> RequestRecord {
        RequestRecord(
            id: requestID, remoteAddress: remoteAddress, method: head?.method.name, path: head?.target.rawPath,
            route: route, status: status, bodyBytesReceived: bodyBytesReceived, responseBytes: responseBytes,
            duration: ContinuousClock.now - start, outcome: outcome)
    }
}
