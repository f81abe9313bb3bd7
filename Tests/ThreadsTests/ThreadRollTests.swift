import CLinux
import Testing

@testable import Threads

@Suite struct ThreadRollTests {
    private func threads(of crew: String) -> [Int32] {
        ThreadRoll.current.filter { $0.value.name == crew }.map(\.key)
    }

    @Test func aThreadIsOnTheRollForAsLongAsItRuns() throws {
        let crew = ThreadRoll.Crew(name: "roll-test", idlePlace: ThreadSemaphore())
        let begun = ThreadSemaphore()
        for index in 0..<2 {
            try OwnThread.start(name: "roll-test-\(index)", crew: crew) {
                begun.signal()
                crew.idlePlace.wait()
            }
        }
        for _ in 0..<2 { begun.wait() }
        #expect(threads(of: "roll-test").count == 2)
        #expect(ThreadRoll.current.values.contains { $0.idlePlace === crew.idlePlace })
        for _ in 0..<2 { crew.idlePlace.signal() }
        // A thread leaves the roll a moment after its work.
        let never = ThreadSemaphore()
        for _ in 0..<1_000 where !threads(of: "roll-test").isEmpty { never.wait(atMost: .milliseconds(10)) }
        #expect(threads(of: "roll-test").isEmpty)
    }

    @Test func aThreadWithoutACrewIsNotOnIt() throws {
        let begun = ThreadSemaphore()
        let end = ThreadSemaphore()
        let before = Set(ThreadRoll.current.keys)
        let number = Locked<Int32>(0)
        try OwnThread.start(name: "no-crew") {
            number.withLock { $0 = clinux_thread_id() }
            begun.signal()
            end.wait()
        }
        begun.wait()
        let thread = number.withLock { $0 }
        #expect(!before.contains(thread))
        #expect(ThreadRoll.current[thread] == nil)
        end.signal()
    }
}
