/// Entries ordered by the instant at which they are due; any of them may be taken out before.
///
/// A binary heap that knows where each entry stands: adding and taking out cost O(log n), looking at the earliest O(1).
/// Entries due at the same instant come out in the order they were added. Serial numbers are never reused, so the
/// ticket of an entry that is gone finds nothing.
package struct DeadlineHeap<Entry> {
    /// An entry's identity in one heap.
    package struct Ticket: Hashable, Sendable {
        fileprivate let serial: UInt64
    }

    private struct Node {
        let due: ContinuousClock.Instant
        let serial: UInt64
        let entry: Entry

        func isBefore(_ other: Node) -> Bool {
            (due, serial) < (other.due, other.serial)
        }
    }

    private var nodes: [Node] = []
    private var positions: [UInt64: Int] = [:]
    private var nextSerial: UInt64 = 0

    /// An empty heap.
    package init() {}

    var count: Int { nodes.count }

    /// When the next entry is due.
    package var earliest: ContinuousClock.Instant? { nodes.first?.due }

    package mutating func insert(_ entry: Entry, due: ContinuousClock.Instant) -> Ticket {
        let node = Node(due: due, serial: nextSerial, entry: entry)
        nextSerial += 1
        nodes.append(node)
        positions[node.serial] = nodes.count - 1
        siftUp(from: nodes.count - 1)
        return Ticket(serial: node.serial)
    }

    /// Takes an entry out; `nil` if it is gone already.
    package mutating func remove(_ ticket: Ticket) -> Entry? {
        guard let position = positions[ticket.serial] else { return nil }
        return remove(at: position)
    }

    /// Takes out the earliest entry if it is due.
    package mutating func removeDue(at now: ContinuousClock.Instant) -> Entry? {
        guard let earliest, earliest <= now else { return nil }
        return remove(at: 0)
    }

    private mutating func remove(at position: Int) -> Entry {
        exchange(position, nodes.count - 1)
        let removed = nodes.removeLast()
        positions[removed.serial] = nil
        if position < nodes.count {
            siftUp(from: position)
            siftDown(from: position)
        }
        return removed.entry
    }

    private mutating func siftUp(from start: Int) {
        var child = start
        while child > 0 {
            let parent = (child - 1) / 2
            guard nodes[child].isBefore(nodes[parent]) else { return }
            exchange(child, parent)
            child = parent
        }
    }

    private mutating func siftDown(from start: Int) {
        var parent = start
        while true {
            let left = 2 * parent + 1
            guard left < nodes.count else { return }
            let right = left + 1
            let child = right < nodes.count && nodes[right].isBefore(nodes[left]) ? right : left
            guard nodes[child].isBefore(nodes[parent]) else { return }
            exchange(child, parent)
            parent = child
        }
    }

    private mutating func exchange(_ first: Int, _ second: Int) {
        guard first != second else { return }
        nodes.swapAt(first, second)
        positions[nodes[first].serial] = first
        positions[nodes[second].serial] = second
    }
}
