import Synchronization

/// A number that tasks and threads change together.
final class Count: Sendable {
    private let number = Atomic<Int>(0)

    var value: Int { number.load(ordering: .sequentiallyConsistent) }

    /// Returns the number after the change.
    @discardableResult
    func add(_ change: Int) -> Int {
        number.wrappingAdd(change, ordering: .sequentiallyConsistent).newValue
    }
}
