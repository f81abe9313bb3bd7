/// Why there is no vector.
///
/// A picture can't cause any of these but ``pixelCount(expected:found:)``, which is the caller's mistake: they tell of
/// the model, the configuration or the machine.
public enum InferenceError: Error, Equatable, Sendable, CustomStringConvertible {
    /// OpenVINO refused: what was attempted, its status code, and its explanation.
    case runtime(operation: String, status: Int32, reason: String)

    /// A setting is below 1.
    case invalidSetting(name: String, value: Int)

    /// The network's input is not one picture of the card's crop size, 3 channels first.
    case inputShape(expected: [Int], found: [Int])

    /// The network's output has another number of dimensions than its card says.
    case outputSize(expected: Int, found: Int)

    /// A compiled network in the cache folder is damaged, and can't be removed.
    case damagedCache(file: String, reason: String)

    /// Not width x height x 3 bytes.
    case pixelCount(expected: Int, found: Int)

    /// The network computed NaN or infinity, first at `index` of its output.
    case notFinite(index: Int)

    /// OpenVINO gave no sign of life for so long that the inference was given up.
    case stalled(after: Duration)

    /// What happened, in one line.
    public var description: String {
        switch self {
        case .runtime(let operation, let status, let reason):
            "can't \(operation): \(reason) (OpenVINO status \(status))"
        case .invalidSetting(let name, let value):
            "\(name) is \(value), but has to be at least 1"
        case .inputShape(let expected, let found):
            "the network's input has the shape \(found), its card wants \(expected)"
        case .outputSize(let expected, let found):
            "the network's output has \(found) dimensions, its card says \(expected)"
        case .damagedCache(let file, let reason):
            "can't remove the damaged \(file): \(reason)"
        case .pixelCount(let expected, let found):
            "a picture of \(found) bytes instead of \(expected)"
        case .notFinite(let index):
            "the network gave no finite number at index \(index)"
        case .stalled(let limit):
            "the inference gave no sign of life for \(limit)"
        }
    }

    /// Whether the request it happened on is lost.
    var isStall: Bool {
        guard case .stalled = self else { return false }
        return true
    }
}
