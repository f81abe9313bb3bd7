import Glibc

/// SplitMix64 (Steele, Lea, Flood 2014): the same sequence for the same seed on every machine.
struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) {
        state = seed
    }

    mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
        return mixed ^ (mixed >> 31)
    }
}

/// How long a randomised test runs and from which seed. `EMBEDD_MODEL_STEPS` and `EMBEDD_MODEL_SEED` choose others;
/// the seed is part of every failure's message.
enum RandomRun {
    static let defaultSteps = 20_000

    static var steps: Int {
        environment("EMBEDD_MODEL_STEPS").flatMap { Int($0) } ?? defaultSteps
    }

    static var seed: UInt64 {
        environment("EMBEDD_MODEL_SEED").flatMap { UInt64($0) } ?? UInt64.random(in: 0...UInt64.max)
    }

    private static func environment(_ name: String) -> String? {
        getenv(name).map { String(cString: $0) }
    }
}
