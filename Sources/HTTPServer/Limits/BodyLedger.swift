/// Who holds how much of the memory for bodies, and who may take more: pure accounting.
///
/// Three rules keep the sum under the limit, without a deadlock and without one body or one client starving the others:
///
/// - A body may take bytes as long as it holds no more than what is free. So one alone gets half of what there is, n
///   get an equal share each, and as much as one of these shares stays free for those that come next.
/// - All bodies of a client together may hold no more than four times what is free. So one client alone gets four
///   fifths of what there is, however many connections it has, and n an equal share each. (Both rules are dynamic
///   thresholds, as switches share out packet buffers: Choudhury and Hahne, 1998.)
/// - The oldest body never waits, since only its end gives memory back when each of the others waits in the middle of
///   its own. For it, room for one whole body is kept out of the first rule's reach. What is larger than that room
///   takes what else is free, and is refused when nothing is. A body that is streamed is never the oldest: its handler
///   gives its bytes back as it goes, and its end, which may be hours away, would give back nothing.
///
/// A streamed body has to get rid of what it holds without waiting, or all of them could wait for each other. One that
/// is inflated needs memory for that, so that it counts as held together with the compressed bytes.
struct BodyLedger {
    /// What a body hears that wants to take more.
    enum Admission: Equatable {
        /// It may.
        case admitted
        /// Not before another one gives something back.
        case waits
        /// It never will: `.tooLarge` when there isn't as much in all, otherwise `.budgetExhausted`.
        case refused(BodyError)
    }

    /// Names one body's account. Older ones are smaller.
    struct Account: Hashable, Comparable, Sendable {
        fileprivate let number: UInt64

        static func < (left: Account, right: Account) -> Bool {
            left.number < right.number
        }
    }

    /// How many times what is free one client's bodies may hold.
    private static let clientFactor = 4

    private struct Holding {
        let client: ClientNetwork
        var bytes = 0
        /// What the handler needs in order to give any of the bytes back; counts while there are some.
        let workingBytes: Int

        var total: Int { bytes > 0 ? bytes + workingBytes : 0 }

        /// What there is with so many bytes more.
        func total(adding more: Int) -> Int {
            Holding(client: client, bytes: bytes + more, workingBytes: workingBytes).total
        }
    }

    private let limitBytes: Int
    /// Bytes that are kept for the oldest body.
    private let keptBytes: Int
    private var lastNumber: UInt64 = 0
    private var held: [Account: Holding] = [:]
    /// What all bodies of a client hold; of those only that hold anything.
    private var heldByClient: [ClientNetwork: Int] = [:]
    /// In the order of their opening; closed ones at the front are dropped, others are passed over.
    private var order: [Account] = []
    /// Bytes that are held in all.
    private(set) var total = 0

    /// Makes an empty ledger.
    /// - Parameters:
    ///   - limitBytes: Most bytes of all bodies together.
    ///   - largestBodyBytes: What is kept for the oldest body; at most half of the limit.
    init(limitBytes: Int, largestBodyBytes: Int) {
        self.limitBytes = limitBytes
        keptBytes = min(largestBodyBytes, limitBytes / 2)
    }

    /// How many bodies there are.
    var count: Int { held.count }

    /// A body begins.
    /// - Parameters:
    ///   - client: Who sends it.
    ///   - isStreamed: Its handler is done with its bytes one after the other, and doesn't collect it.
    ///   - workingBytes: What the handler needs besides as long as it holds any.
    mutating func open(client: ClientNetwork, isStreamed: Bool = false, workingBytes: Int = 0) -> Account {
        lastNumber += 1
        let account = Account(number: lastNumber)
        held[account] = Holding(client: client, workingBytes: workingBytes)
        if !isStreamed {
            order.append(account)
        }
        return account
    }

    /// A body's request is over: all it held is free.
    mutating func close(_ account: Account) {
        if let holding = held.removeValue(forKey: account) {
            add(-holding.total, to: holding.client)
        }
        let gone = order.prefix { held[$0] == nil }.count
        order.removeFirst(gone)
        if order.count > 2 * held.count + 16 {
            order.removeAll { held[$0] == nil }
        }
    }

    /// The body's bytes have come in, which are counted whether or not they were admitted.
    mutating func take(_ bytes: Int, for account: Account) {
        change(account) { $0 += bytes }
    }

    /// The handler is done with so many of the body's bytes.
    mutating func release(_ bytes: Int, of account: Account) {
        change(account) { $0 -= min(bytes, $0) }
    }

    private mutating func change(_ account: Account, _ body: (inout Int) -> Void) {
        guard var holding = held[account] else { return }
        let before = holding.total
        body(&holding.bytes)
        held[account] = holding
        add(holding.total - before, to: holding.client)
    }

    private mutating func add(_ bytes: Int, to client: ClientNetwork) {
        guard bytes != 0 else { return }
        total += bytes
        let sum = heldByClient[client, default: 0] + bytes
        heldByClient[client] = sum == 0 ? nil : sum
    }

    /// Whether the body may take so many bytes more.
    func admission(of bytes: Int, for account: Account) -> Admission {
        guard let holding = held[account] else { return .admitted }
        let own = holding.total(adding: bytes)
        guard account == order.first else {
            let free = limitBytes - keptBytes - total
            let ofClient = heldByClient[holding.client, default: 0] - holding.total + own
            return own <= free && ofClient <= Self.clientFactor * free ? .admitted : .waits
        }
        // The others together never hold more than the limit less what is kept.
        guard own > keptBytes, total - holding.total + own > limitBytes else { return .admitted }
        return .refused(own > limitBytes ? .tooLarge(limit: limitBytes) : .budgetExhausted)
    }
}
