import Glibc

/// Asks the admin port as `curl` would, on the calling thread.
enum AdminClient {
    static func get(_ path: String, port: Int) -> (status: Int?, duration: Duration) {
        let begin = ContinuousClock.now
        let answer = Loopback.exchange("GET \(path) HTTP/1.1\r\nHost: localhost\r\n\r\n", port: port)
        // HTTP/1.1 200 OK
        let status = answer.split(separator: " ").dropFirst().first.flatMap { Int($0) }
        return (status, ContinuousClock.now - begin)
    }
}
