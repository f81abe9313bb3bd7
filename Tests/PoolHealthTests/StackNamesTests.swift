import Testing

@testable import PoolHealth

@Suite struct StackNamesTests {
    private func names(_ addresses: Range<UInt>) -> [CompactBacktrace.Entry: [Frame]] {
        Dictionary(
            uniqueKeysWithValues: addresses.map { address in
                (
                    CompactBacktrace.Entry(address: address, isReturnAddress: true),
                    [Frame(function: "f\(address)", file: nil, line: nil, image: "server")]
                )
            })
    }

    @Test func namesThatNoLongerFitMakeRoomForNewOnes() {
        let maximum = UInt(StackNames.maximumNames)
        var known = names(0..<maximum - 1)
        StackNames.remember(names(maximum..<maximum + 1), in: &known)
        #expect(known.count == StackNames.maximumNames)
        let latest = names(maximum + 1..<maximum + 4)
        StackNames.remember(latest, in: &known)
        #expect(known == latest)
    }

    @Test func oneIncidentAloneDoesNotExceedTheMaximum() {
        var known = names(0..<3)
        StackNames.remember(names(10..<10 + 2 * UInt(StackNames.maximumNames)), in: &known)
        #expect(known.count == StackNames.maximumNames)
    }
}
