/// A place in the program where threads of a stalled pool are blocked.
public struct Culprit: Sendable, Equatable {
    /// `function file:line` of the innermost call that is the program's own.
    public let site: String
    /// What the threads wait for; `nil` if unknown.
    public let wait: WaitKind?
    /// How many threads are there.
    public var threads: Int
    /// The calls of one of them, the innermost first.
    public let frames: [Frame]

    /// The innermost call with a known line, else the innermost that isn't the system's, else the innermost.
    static func site(of frames: [Frame]) -> String {
        let own = frames.first { !$0.isOfSystem && $0.line != nil } ?? frames.first { !$0.isOfSystem } ?? frames.first
        return own?.site ?? "unknown"
    }

    /// Puts stacks that end in the same place together, the most threads first.
    static func group(_ stacks: [(wait: WaitKind?, frames: [Frame])]) -> [Culprit] {
        var culprits: [Culprit] = []
        for stack in stacks {
            let site = site(of: stack.frames)
            if let index = culprits.firstIndex(where: { $0.site == site && $0.wait == stack.wait }) {
                culprits[index].threads += 1
            } else {
                culprits.append(Culprit(site: site, wait: stack.wait, threads: 1, frames: stack.frames))
            }
        }
        return culprits.sorted { $0.threads > $1.threads }
    }
}
