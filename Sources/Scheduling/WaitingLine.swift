/// A first-in, first-out line whose members may also leave from the middle.
///
/// Every member gets the next serial number. The head is the smallest serial that is still there, so a member that
/// leaves from the middle is only taken out of the dictionary; the head steps over its number later. Each number is
/// stepped over once, which makes every operation O(1) amortised. Numbers are never reused: a ticket whose member has
/// left finds nothing, whatever came after.
struct WaitingLine<Member> {
    /// A member's place in one line.
    struct Ticket: Hashable, Sendable {
        fileprivate let serial: UInt64
    }

    private var members: [UInt64: Member] = [:]
    private var headSerial: UInt64 = 0
    private var nextSerial: UInt64 = 0

    var count: Int { members.count }
    var isEmpty: Bool { members.isEmpty }

    /// The member that has waited longest.
    var head: Member? { members[headSerial] }

    mutating func append(_ member: Member) -> Ticket {
        let ticket = Ticket(serial: nextSerial)
        members[nextSerial] = member
        nextSerial += 1
        return ticket
    }

    /// Takes out the member that has waited longest.
    mutating func removeHead() -> Member? {
        remove(Ticket(serial: headSerial))
    }

    /// Takes a member out from wherever it stands; `nil` if it has left already.
    mutating func remove(_ ticket: Ticket) -> Member? {
        guard let member = members.removeValue(forKey: ticket.serial) else { return nil }
        while headSerial < nextSerial, members[headSerial] == nil {
            headSerial += 1
        }
        return member
    }
}
