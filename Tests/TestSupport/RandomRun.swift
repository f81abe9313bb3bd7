import Glibc

/// How long a randomised test runs and from which seed. `EMBEDD_MODEL_STEPS` and `EMBEDD_MODEL_SEED` choose others;
/// the seed is part of every failure's message.
package enum RandomRun {
    package static let defaultSteps = 20_000
    /// The same each time, so that a change is judged by what it changes.
    package static let defaultSeed: UInt64 = 1

    package static var steps: Int {
        environment("EMBEDD_MODEL_STEPS").flatMap { Int($0) } ?? defaultSteps
    }

    package static var seed: UInt64 {
        environment("EMBEDD_MODEL_SEED").flatMap { UInt64($0) } ?? defaultSeed
    }

    private static func environment(_ name: String) -> String? {
        getenv(name).map { String(cString: $0) }
    }
}
