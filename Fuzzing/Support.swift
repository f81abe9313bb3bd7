/// The bytes libFuzzer made: the first two choose, the others are the input.
struct FuzzInput {
    let choice: UInt8
    let bytes: [UInt8]
    /// Where the input is cut in two.
    let cut: Int

    /// Nil when there are too few bytes.
    init?(_ data: UnsafePointer<UInt8>?, _ count: Int) {
        guard let data, count >= 2 else { return nil }
        let all = Array(UnsafeBufferPointer(start: data, count: count))
        choice = all[0]
        bytes = Array(all[2...])
        cut = bytes.isEmpty ? 0 : Int(all[1]) * (bytes.count + 1) / 256
    }

    /// Ways to cut the input: what a parser makes of it must not depend on the way.
    var cuts: [[[UInt8]]] {
        [[bytes], [Array(bytes[..<cut]), Array(bytes[cut...])], bytes.map { [$0] }]
    }
}

/// Every way has to give the same; a trap, which libFuzzer reports with the input, otherwise.
func requireSame<Outcome: Equatable>(_ input: FuzzInput, _ outcome: ([[UInt8]]) -> Outcome) {
    let outcomes = input.cuts.map(outcome)
    for other in outcomes.dropFirst() {
        precondition(other == outcomes[0], "\(other)\nis not\n\(outcomes[0])")
    }
}
