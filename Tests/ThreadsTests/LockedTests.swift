import Testing
import Threads

struct LockedTests {
    private struct Refusal: Error {}
    private final class Witness: Sendable {}

    @Test func onlyOneThreadIsInside() async {
        let count = Locked(0)
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<8 {
                group.addTask {
                    for _ in 0..<10_000 { count.withLock { $0 += 1 } }
                }
            }
        }
        #expect(count.withLock { $0 } == 80_000)
    }

    @Test func anErrorOpensTheLock() {
        let value = Locked(1)
        #expect(throws: Refusal.self) {
            try value.withLock { value in
                value = 2
                throw Refusal()
            }
        }
        #expect(value.withLock { $0 } == 2)
    }

    @Test func letsGoOfItsValue() {
        weak var witness: Witness?
        do {
            let first = Witness()
            witness = first
            let value = Locked<Witness?>(first)
            #expect(value.withLock { $0 != nil })
            #expect(witness != nil)
        }
        #expect(witness == nil)
    }
}
