import Foundation
import Glibc
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

    /// ThreadSanitizer starts threads itself, on stacks of its own size.
    private static let isUnderThreadSanitizer = dlsym(nil, "__tsan_init") != nil

    /// Glibc gives a thread the stack of one that has ended if it is large enough, and keeps 40 MiB of those: among
    /// more threads than that is enough for, one at least got a new stack, of the size that was asked for.
    @Test(.disabled(if: isUnderThreadSanitizer))
    func givesItsThreadsFourMebibytesOfStack() throws {
        let threads = 16
        let sizes = Locked<[Int]>([])
        let measured = ThreadSemaphore()
        let mayEnd = ThreadSemaphore()
        for _ in 0..<threads {
            try OwnThread.start(name: "stack") {
                let size = Self.stackByteCount()
                sizes.withLock { $0.append(size) }
                measured.signal()
                mayEnd.wait()
            }
        }
        defer { (0..<threads).forEach { _ in mayEnd.signal() } }
        for _ in 0..<threads {
            try #require(measured.wait(atMost: .seconds(60)))
        }
        #expect(sizes.withLock { $0.min() } == 4 << 20)
    }

    /// The size of the calling thread's stack.
    private static func stackByteCount() -> Int {
        // Glibc's module doesn't declare it.
        typealias GetAttributes = @convention(c) (pthread_t, UnsafeMutablePointer<pthread_attr_t>) -> Int32
        guard let address = dlsym(nil, "pthread_getattr_np") else { return -1 }
        var attributes = pthread_attr_t()
        guard unsafeBitCast(address, to: GetAttributes.self)(pthread_self(), &attributes) == 0 else { return -1 }
        defer { pthread_attr_destroy(&attributes) }
        var byteCount = 0
        guard pthread_attr_getstacksize(&attributes, &byteCount) == 0 else { return -1 }
        return byteCount
    }

    @Test(arguments: ["", "sixteen-bytes-xx", "two words", "größe"])
    func takesNoSuchName(_ name: String) {
        #expect(!OwnThread.isValidName(name))
    }
}
