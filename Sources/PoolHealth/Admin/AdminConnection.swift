import Glibc
import HTTPWire

/// A client of the admin listener. Used by the one thread that accepted it.
final class AdminConnection {
    private enum Phase {
        case reading(AdminExchange)
        case writing(rest: ArraySlice<UInt8>)
        /// Everything is written; what the client still sends is dropped until it closes, since closing with unread
        /// bytes would reset the connection and could wipe out the answer on its way.
        case draining
    }

    private static let readLimit = Duration.seconds(5)
    private static let writeLimit = Duration.seconds(5)
    private static let drainLimit = Duration.seconds(1)
    private static let chunk = 4_096

    /// Owned; non-blocking.
    let descriptor: Int32
    private var phase: Phase
    /// On the monotonic clock: then it is closed, whatever it is at.
    private(set) var deadline: Duration

    init(descriptor: Int32, routes: [AdminRoute]) {
        self.descriptor = descriptor
        phase = .reading(AdminExchange(routes: routes))
        deadline = Clock.monotonic() + Self.readLimit
    }

    deinit {
        close(descriptor)
    }

    /// What to wait for with poll(2).
    var events: Int16 {
        if case .writing = phase { Int16(POLLOUT) } else { Int16(POLLIN) }
    }

    /// Goes on as far as it can without waiting; whether there is more to do.
    func proceed() -> Bool {
        while true {
            switch phase {
            case .reading(var exchange):
                let outcome = read { bytes in exchange.receive(bytes, date: Self.date()) }
                phase = .reading(exchange)
                switch outcome {
                case .later: return true
                case .over: return false
                case .got(nil): continue
                case .got(let response?):
                    phase = .writing(rest: response[...])
                    deadline = Clock.monotonic() + Self.writeLimit
                }
            case .writing(let rest):
                guard let rest = write(rest) else { return false }
                phase = .writing(rest: rest)
                guard rest.isEmpty else { return true }
                shutdown(descriptor, Int32(SHUT_WR))
                phase = .draining
                deadline = Clock.monotonic() + Self.drainLimit
            case .draining:
                switch read({ _ in true }) {
                case .later: return true
                case .over: return false
                case .got: continue
                }
            }
        }
    }

    private enum Reading<Result> {
        case got(Result)
        case later
        case over
    }

    private func read<Result>(_ body: (Span<UInt8>) -> Result) -> Reading<Result> {
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: Self.chunk) { buffer in
            let count = recv(descriptor, buffer.baseAddress, buffer.count, 0)
            if count < 0 { return errno == EAGAIN || errno == EINTR ? .later : .over }
            guard count > 0 else { return .over }
            return .got(body(UnsafeBufferPointer(rebasing: buffer[..<count]).span))
        }
    }

    /// What is left; `nil` if the client has gone.
    private func write(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        var rest = bytes
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
            if count < 0 {
                if errno == EINTR { continue }
                return errno == EAGAIN ? rest : nil
            }
            rest = rest.dropFirst(count)
        }
        return rest
    }

    private static func date() -> String {
        HTTPDate.format(secondsSinceEpoch: Int(Clock.civil().components.seconds))
    }
}
