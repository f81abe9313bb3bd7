import Testing

@testable import PoolHealth

@Suite struct ParkingPlacesTests {
    private static let start: UInt = 0x5555_0000
    private static let stride: UInt = 176

    private func place(_ root: RootQueue) -> UInt { Self.start + Self.stride * UInt(root.index) }

    private func seen(_ indices: [Int]) -> [RootQueue: Set<UInt>] {
        Dictionary(uniqueKeysWithValues: indices.map { (RootQueue.all[$0], [place(RootQueue.all[$0])]) })
    }

    @Test func threeOnALineGiveAll() throws {
        let places = try #require(ParkingPlaces(seen: seen([1, 4, 6])))
        for root in RootQueue.all {
            #expect(places.contains(place(root), of: root))
            #expect(!places.contains(place(root) + 8, of: root))
        }
    }

    @Test func twoAreNotEnough() {
        #expect(ParkingPlaces(seen: seen([1, 4])) == nil)
        #expect(ParkingPlaces(seen: [:]) == nil)
    }

    @Test func aLockInTheSameDataIsNotMistakenForOne() throws {
        var seen = seen([0, 2, 4, 6])
        seen[RootQueue.all[4]]?.insert(Self.start + 4_000)
        let places = try #require(ParkingPlaces(seen: seen))
        #expect(!places.contains(Self.start + 4_000, of: RootQueue.all[4]))
    }

    @Test func placesOffTheLineConfirmNothing() {
        var seen = seen([0, 2])
        seen[RootQueue.all[4]] = [Self.start + 1_000]
        #expect(ParkingPlaces(seen: seen) == nil)
    }
}
