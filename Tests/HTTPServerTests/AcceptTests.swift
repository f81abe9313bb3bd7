import Glibc
import Testing

@testable import HTTPServer

@Suite struct AcceptTests {
    /// Trying again at once would spin: the source goes on firing.
    @Test func anErrorThatLastsIsNotTakenForALostConnection() {
        let socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        defer { close(socket) }
        guard case .exhausted(EINVAL) = Socket.accept(socket) else {
            Issue.record("a socket that doesn't listen")
            return
        }
        guard case .exhausted(EBADF) = Socket.accept(-1) else {
            Issue.record("no descriptor")
            return
        }
    }
}
