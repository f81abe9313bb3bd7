import Foundation
import Testing
import Threads

struct OwnThreadTests {
    @Test func runsOnANamedThreadOfItsOwn() throws {
        let seen = Locked("")
        let done = ThreadSemaphore()
        try OwnThread.start(name: "own-thread") {
            let name = try? String(contentsOfFile: "/proc/thread-self/comm", encoding: .utf8)
            seen.withLock { $0 = name ?? "" }
            done.signal()
        }
        #expect(done.wait(atMost: .seconds(60)))
        #expect(seen.withLock { $0 } == "own-thread\n")
    }

    @Test(arguments: ["", "sixteen-bytes-xx", "two words", "größe"])
    func takesNoSuchName(_ name: String) {
        #expect(!OwnThread.isValidName(name))
    }
}
