import FoundationEssentials

/// The folder for compiled networks, checked before OpenVINO is told of it.
struct CacheDirectory: Sendable {
    /// The folder, if it can be used.
    let path: String?

    /// Why it can't.
    let problem: String?

    /// Makes the folder if it isn't there.
    ///
    /// - Parameter wanted: its path; `nil` for no cache, which is no problem.
    init(_ wanted: String?) {
        problem = wanted.flatMap(Self.problem)
        path = problem == nil ? wanted : nil
    }

    private static func problem(_ wanted: String) -> String? {
        do {
            try FileManager.default.createDirectory(atPath: wanted, withIntermediateDirectories: true)
        } catch {
            return "can't make the folder \(wanted): \(SystemReason.text(for: error))"
        }
        guard FileManager.default.isWritableFile(atPath: wanted) else {
            return "can't write to the folder \(wanted)"
        }
        return nil
    }
}
