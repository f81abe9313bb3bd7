/// Values bounded by their cost, of which the one that was not used for longest goes first.
///
/// A dictionary finds a node, and the nodes are a doubly linked list in an array, most recently used first, so every
/// operation is O(1) amortised; places that become free are taken again.
struct LeastRecentlyUsed<Key: Hashable, Value> {
    private struct Node {
        let key: Key
        var value: Value
        var cost: Int
        var newer: Int?
        var older: Int?
    }

    /// What all values together may cost.
    let costLimit: Int

    /// What they cost.
    private(set) var cost = 0

    private var places: [Key: Int] = [:]
    private var nodes: [Node?] = []
    private var freePlaces: [Int] = []
    private var newest: Int?
    private var oldest: Int?

    init(costLimit: Int) {
        self.costLimit = costLimit
    }

    var count: Int { places.count }

    /// Finds a value and makes it the most recently used.
    mutating func value(for key: Key) -> Value? {
        guard let place = places[key], let node = nodes[place] else { return nil }
        if place != newest {
            unlink(place)
            linkAsNewest(place)
        }
        return node.value
    }

    /// Keeps a value as the most recently used, in place of an earlier one of its key.
    ///
    /// One that costs more than all together may is not kept; then nothing changes.
    ///
    /// - Returns: the values that had to go for it.
    mutating func insert(_ value: Value, for key: Key, cost: Int) -> [Value] {
        guard cost <= costLimit else { return [] }
        if let place = places[key] {
            unlink(place)
            self.cost -= free(place)
        }
        var evicted: [Value] = []
        while self.cost > costLimit - cost, let place = oldest {
            if let value = nodes[place]?.value {
                evicted.append(value)
            }
            unlink(place)
            self.cost -= free(place)
        }
        let node = Node(key: key, value: value, cost: cost)
        let place: Int
        if let free = freePlaces.popLast() {
            place = free
            nodes[place] = node
        } else {
            place = nodes.count
            nodes.append(node)
        }
        places[key] = place
        self.cost += cost
        linkAsNewest(place)
        return evicted
    }

    /// Empties a place that is in the list no more; returns what its value cost.
    private mutating func free(_ place: Int) -> Int {
        guard let node = nodes[place] else { return 0 }
        nodes[place] = nil
        places[node.key] = nil
        freePlaces.append(place)
        return node.cost
    }

    private mutating func linkAsNewest(_ place: Int) {
        nodes[place]?.newer = nil
        nodes[place]?.older = newest
        if let newest {
            nodes[newest]?.newer = place
        }
        newest = place
        oldest = oldest ?? place
    }

    private mutating func unlink(_ place: Int) {
        guard let node = nodes[place] else { return }
        if let newer = node.newer {
            nodes[newer]?.older = node.older
        } else {
            newest = node.older
        }
        if let older = node.older {
            nodes[older]?.newer = node.newer
        } else {
            oldest = node.newer
        }
    }
}
