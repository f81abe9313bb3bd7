import Threads

/// For how long threads of stalled pools were blocked where: the source of a metric whose labels nobody can declare
/// beforehand, so they are bounded here.
///
/// **Which sites are told.** Those that are, or have been, among the ``largestSites`` largest; all others together are
/// ``otherSite``. That must show a site that only grows later, and yet no counter may ever fall, or a rate would be
/// taken of a reset that never was. So nothing is moved from one counter to another: a second is added to its site's
/// own counter if the site is told at that moment, else to the one of the others, and stays there. Each second is in
/// exactly one counter, and the sum over all of them is exact. What a site had cost before it was told remains with the
/// others: at most as much as the smallest of the largest then had. (Counting with replacement, such as Space-Saving,
/// would give a newcomer its predecessor's count, which it never cost.)
///
/// A site that others outgrow goes on being told, so that two of nearly the same size don't take turns. Only when
/// ``toldSites`` are told, the smallest of them has to go for a new one: its counter is kept, and goes on from there if
/// it ever comes back.
final class CulpritLedger: Sendable {
    /// A site has to be one of so many to be told.
    static let largestSites = 20
    /// The most that are told at a time.
    static let toldSites = 64
    /// The most whose sizes are known: far more than a program has places that block. What comes later is never told.
    static let knownSites = 512
    static let otherSite = "other"

    struct Key: Hashable, Sendable {
        let pool: String
        let site: String
        let wait: String
        let stage: String
    }

    private struct State {
        /// What each site has cost in all, told or not.
        var sizes: [String: Double] = [:]
        var told: Set<String> = []
        /// The counters, also of sites that aren't told at the moment.
        var seconds: [Key: Double] = [:]
    }

    private let state = Locked(State())

    /// Adds to the counter of a site, or to the one of the others.
    func add(_ seconds: Double, to key: Key) {
        state.withLock { state in
            let isTold = Self.note(seconds, of: key.site, &state)
            let site = isTold ? key.site : Self.otherSite
            state.seconds[Key(pool: key.pool, site: site, wait: key.wait, stage: key.stage), default: 0] += seconds
        }
    }

    /// Every counter that is told at the moment.
    var series: [(key: Key, seconds: Double)] {
        state.withLock { state in
            state.seconds.compactMap { key, seconds in
                key.site == Self.otherSite || state.told.contains(key.site) ? (key, seconds) : nil
            }
        }
    }

    /// Makes a site larger; whether it is told from now on.
    private static func note(_ seconds: Double, of site: String, _ state: inout State) -> Bool {
        guard site != otherSite, state.sizes[site] != nil || state.sizes.count < knownSites else { return false }
        let size = state.sizes[site, default: 0] + seconds
        state.sizes[site] = size
        if state.told.contains(site) { return true }
        // None that isn't told is larger than this one and among the largest: it would have been told at its own
        // growth.
        let larger = state.told.count { state.sizes[$0, default: 0] >= size }
        guard larger < largestSites else { return false }
        if state.told.count == toldSites,
            let smallest = state.told.min(by: { state.sizes[$0, default: 0] < state.sizes[$1, default: 0] })
        {
            state.told.remove(smallest)
        }
        state.told.insert(site)
        return true
    }
}
