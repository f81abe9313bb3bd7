import Testing

@testable import PoolHealth

@Suite struct RootQueueTests {
    @Test func indexIsThePlaceInTheList() {
        for (index, root) in RootQueue.all.enumerated() {
            #expect(root.index == index)
        }
        #expect(RootQueue.all.count == 8)
        for (index, pool) in Pool.allCases.enumerated() { #expect(pool.index == index) }
    }
}
