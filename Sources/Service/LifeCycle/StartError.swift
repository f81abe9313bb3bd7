/// Why the service doesn't start, beside what its rooms throw.
enum StartError: Error, CustomStringConvertible {
    /// libvips can't be initialised.
    case libvipsUnusable

    var description: String {
        switch self {
        case .libvipsUnusable:
            "libvips can't be started; repair its installation, or set decode.formats to [\"jpeg\"]"
        }
    }
}
