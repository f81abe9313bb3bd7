/// Bytes that wait for the socket, in order.
struct OutputQueue {
    /// Pieces up to this size are copied behind the one before: one system call is worth more than one copy.
    private static let mergeLimitBytes = 64 * 1024

    private var pieces: [[UInt8]] = []
    /// How much of the first piece has been sent.
    private var sent = 0
    /// How many bytes wait.
    private(set) var count = 0

    var isEmpty: Bool { count == 0 }

    mutating func append(_ bytes: [UInt8]) {
        guard !bytes.isEmpty else { return }
        count += bytes.count
        if let last = pieces.indices.last, pieces[last].count + bytes.count <= Self.mergeLimitBytes {
            pieces[last].append(contentsOf: bytes)
        } else {
            pieces.append(bytes)
        }
    }

    /// Sends as much as the socket takes; tells how much that was and whether the connection still stands.
    mutating func flush(to descriptor: Int32) -> (sent: Int, isBroken: Bool) {
        var total = 0
        while let first = pieces.first {
            switch Socket.send(descriptor, first, from: sent, moreFollows: pieces.count > 1) {
            case .sent(let bytes):
                total += bytes
                count -= bytes
                sent += bytes
                if sent == first.count {
                    pieces.removeFirst()
                    sent = 0
                }
            case .wouldBlock:
                return (total, false)
            case .broken:
                return (total, true)
            }
        }
        return (total, false)
    }
}
