import Testing
import Threads

struct ThreadSemaphoreTests {
    @Test func keepsASignalThatComesFirst() {
        let semaphore = ThreadSemaphore()
        semaphore.signal()
        semaphore.signal()
        semaphore.wait()
        #expect(semaphore.wait(atMost: .zero))
        #expect(!semaphore.wait(atMost: .zero))
    }

    @Test func returnsAfterTheLimit() {
        let semaphore = ThreadSemaphore()
        let start = ContinuousClock.now
        #expect(!semaphore.wait(atMost: .milliseconds(20)))
        #expect(ContinuousClock.now - start >= .milliseconds(20))
        #expect(!semaphore.wait(atMost: .seconds(-1)))
    }
}
