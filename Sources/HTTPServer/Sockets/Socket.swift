import CLinux
import Glibc

/// The socket calls, with errno turned into what a caller can do about it. EINTR is retried here; no call blocks.
enum Socket {
    /// What came of trying to accept a connection.
    enum Acceptance {
        /// A new connection, not blocking.
        case accepted(Int32, SocketAddress)
        /// Nobody waits any more.
        case nobodyWaits
        /// A call that was interrupted, or a connection that is gone already; the next one may be fine.
        case lost
        /// No descriptors or memory are left, or something is wrong that the next call would meet, too: trying again at
        /// once would spin.
        case exhausted(Int32)
    }

    static func accept(_ listener: Int32) -> Acceptance {
        var storage = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        let flags = Int32(SOCK_NONBLOCK.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
        let descriptor = withUnsafeMutablePointer(to: &storage) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                clinux_accept4(listener, address, &length, flags)
            }
        }
        guard descriptor < 0 else {
            // Answers are written whole; waiting for an ACK before the last piece only adds latency.
            setOption(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY)
            return .accepted(descriptor, SocketAddress(storage))
        }
        switch errno {
        case EAGAIN: return .nobodyWaits
        // The latter ones are errors of the connection's network, which accept(2) passes on as its own.
        case EINTR, ECONNABORTED, EPROTO, ENETDOWN, ENOPROTOOPT, EHOSTDOWN, ENONET, EHOSTUNREACH, EOPNOTSUPP,
            ENETUNREACH, ETIMEDOUT:
            return .lost
        default: return .exhausted(errno)
        }
    }

    /// What came of trying to read.
    enum Reception {
        /// That many bytes, at least one.
        case bytes(Int)
        /// The peer has sent FIN.
        case endOfStream
        /// Nothing is there at the moment.
        case wouldBlock
        /// The connection is broken.
        case broken
    }

    /// Reads into the beginning of the buffer.
    /// - Parameter limit: Most bytes to take, at least one.
    static func receive(_ descriptor: Int32, into buffer: inout [UInt8], atMost limit: Int) -> Reception {
        while true {
            let count = buffer.withUnsafeMutableBytes { recv(descriptor, $0.baseAddress, min($0.count, limit), 0) }
            if count > 0 { return .bytes(count) }
            // Zero is tested before errno, which is stale then.
            if count == 0 { return .endOfStream }
            switch errno {
            case EINTR: continue
            case EAGAIN: return .wouldBlock
            default: return .broken
            }
        }
    }

    /// What came of trying to write.
    enum Transmission {
        /// The kernel took that many bytes.
        case sent(Int)
        /// The socket's buffer is full.
        case wouldBlock
        /// The connection is broken.
        case broken
    }

    /// Hands bytes from `offset` on to the kernel.
    /// - Parameter moreFollows: More will be sent right away, so that the kernel may fill a packet first.
    static func send(_ descriptor: Int32, _ bytes: [UInt8], from offset: Int, moreFollows: Bool) -> Transmission {
        // A broken connection is a result, never a SIGPIPE.
        let flags = Int32(MSG_NOSIGNAL) | (moreFollows ? Int32(MSG_MORE) : 0)
        while true {
            let count = bytes.withUnsafeBytes { buffer in
                let rest = UnsafeRawBufferPointer(rebasing: buffer[offset...])
                return Glibc.send(descriptor, rest.baseAddress, rest.count, flags)
            }
            if count >= 0 { return .sent(count) }
            switch errno {
            case EINTR: continue
            case EAGAIN: return .wouldBlock
            default: return .broken
            }
        }
    }

    /// Says goodbye to a connection and closes it at once. What the client has sent so far is read over, since unread
    /// bytes would make the kernel send an RST, which can wipe out the response; a client that is about to send may
    /// still get one.
    static func turnAway(_ descriptor: Int32, with response: [UInt8]) {
        _ = send(descriptor, response, from: 0, moreFollows: false)
        finishSending(descriptor)
        var scrap = [UInt8](repeating: 0, count: 16 * 1024)
        _ = receive(descriptor, into: &scrap, atMost: scrap.count)
        close(descriptor)
    }

    /// Sends FIN; reading goes on.
    static func finishSending(_ descriptor: Int32) {
        shutdown(descriptor, Int32(SHUT_WR))
    }

    /// Gives the descriptor back. Not retried on EINTR: Linux has released the number then.
    static func close(_ descriptor: Int32) {
        Glibc.close(descriptor)
    }

    /// The address that a socket is bound to.
    static func boundAddress(_ descriptor: Int32) -> SocketAddress {
        var storage = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        withUnsafeMutablePointer(to: &storage) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                _ = getsockname(descriptor, address, &length)
            }
        }
        return SocketAddress(storage)
    }

    /// Turns an option on.
    static func setOption(_ descriptor: Int32, _ level: Int32, _ option: Int32) {
        var on: Int32 = 1
        setsockopt(descriptor, level, option, &on, socklen_t(MemoryLayout<Int32>.size))
    }
}
