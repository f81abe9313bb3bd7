import HTTPServer

/// The settings in the HTTP server's terms.
extension Configuration.Server {
    /// Where to listen.
    var address: SocketAddress {
        unixSocket.isEmpty ? .internet(host: host, port: port) : .unix(path: unixSocket)
    }

    /// Whose scripts may read the answers; nil for nobody's.
    var cors: CORSPolicy? {
        switch corsOrigins {
        case []: nil
        case ["*"]: CORSPolicy(.any)
        default: CORSPolicy(.only(Set(corsOrigins)))
        }
    }
}
