/// The futexes on which threads without a job sleep, one for each root queue. Pure.
///
/// That they are at all, and where, is Dispatch's own affair. They are learned from threads that have just answered a
/// probe, and believed only if those of several root queues lie as elements of one array do.
struct ParkingPlaces: Equatable {
    /// Root queues whose places have to agree.
    static let neededWitnesses = 3

    /// By the index of the root queue.
    private let addresses: [UInt]

    /// - Parameter seen: addresses of futexes on which threads of a root queue were seen.
    /// - Returns: `nil` while there is no line through enough of them, or more than one.
    init?(seen: [RootQueue: Set<UInt>]) {
        var candidates: Set<Line> = []
        for (first, firstAddresses) in seen {
            for (second, secondAddresses) in seen where second.index > first.index {
                for low in firstAddresses {
                    for high in secondAddresses where high > low {
                        let (stride, rest) = (high - low).quotientAndRemainder(
                            dividingBy: UInt(second.index - first.index))
                        guard rest == 0, stride > 0, stride <= Self.maximumStride,
                            low >= stride * UInt(first.index)
                        else { continue }
                        candidates.insert(Line(start: low - stride * UInt(first.index), stride: stride))
                    }
                }
            }
        }
        let confirmed = candidates.filter { line in
            seen.count(where: { $0.value.contains(line.address($0.key.index)) }) >= Self.neededWitnesses
        }
        guard confirmed.count == 1, let line = confirmed.first else { return nil }
        addresses = RootQueue.all.map { line.address($0.index) }
    }

    /// Whether threads of this root queue without a job sleep here.
    func contains(_ address: UInt, of root: RootQueue) -> Bool {
        addresses[root.index] == address
    }

    /// Far more than Dispatch keeps for a root queue (176 bytes in 6.3).
    private static let maximumStride: UInt = 4_096

    private struct Line: Hashable {
        let start: UInt
        let stride: UInt

        func address(_ index: Int) -> UInt { start + stride * UInt(index) }
    }
}
