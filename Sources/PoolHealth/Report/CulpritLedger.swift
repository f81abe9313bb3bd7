import Threads

/// For how long threads of stalled pools were blocked where: the source of a metric whose labels nobody can declare
/// beforehand, so they are bounded here.
final class CulpritLedger: Sendable {
    /// Sites with a series of their own; what others cost is counted as ``otherSite``.
    static let maximumSites = 20
    static let otherSite = "other"

    struct Key: Hashable, Sendable {
        let pool: String
        let site: String
        let wait: String
        let stage: String
    }

    private struct State {
        var sites: Set<String> = []
        var seconds: [Key: Double] = [:]
    }

    private let state = Locked(State())

    /// Adds to a series that exists for ever after. The first twenty sites get their own: which twenty will be the
    /// largest can't be known, and a counter that changes its labels would fall.
    func add(_ seconds: Double, to key: Key) {
        state.withLock { state in
            let isKnown = state.sites.contains(key.site)
            if !isKnown, state.sites.count < Self.maximumSites { state.sites.insert(key.site) }
            let site = state.sites.contains(key.site) ? key.site : Self.otherSite
            state.seconds[Key(pool: key.pool, site: site, wait: key.wait, stage: key.stage), default: 0] += seconds
        }
    }

    /// Every series.
    var series: [(key: Key, seconds: Double)] {
        state.withLock { state in state.seconds.map { ($0.key, $0.value) } }
    }
}
