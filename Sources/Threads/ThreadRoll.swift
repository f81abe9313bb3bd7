/// Who of the process's own threads belongs where: for a monitor, which sees numbers only.
///
/// A thread is on it from its first moment to its last, if it was started for a ``Crew``.
public enum ThreadRoll {
    /// Threads that do the same work, such as those of a lane.
    public struct Crew: Sendable {
        /// What it is called; the same for several that do the same.
        public let name: String
        /// What its threads wait for when they have nothing to do: a thread that sleeps anywhere else is in the middle
        /// of something.
        public let idlePlace: ThreadSemaphore

        /// A crew without a thread.
        public init(name: String, idlePlace: ThreadSemaphore) {
            self.name = name
            self.idlePlace = idlePlace
        }
    }

    /// Held for as long as it takes to change an entry or to take a reference, so whoever looks never waits for long.
    private static let crews = Locked<[Int32: Crew]>([:])

    /// Every thread that belongs to a crew, by the kernel's number of the thread.
    public static var current: [Int32: Crew] { crews.withLock { $0 } }

    static func enter(_ thread: Int32, _ crew: Crew) {
        crews.withLock { $0[thread] = crew }
    }

    static func leave(_ thread: Int32) {
        // What the entry holds is let go outside of the lock.
        _ = crews.withLock { $0.removeValue(forKey: thread) }
    }
}
