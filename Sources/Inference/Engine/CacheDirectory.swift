import Foundation

/// The folder for compiled networks, checked before OpenVINO is told of it.
struct CacheDirectory: Sendable {
    /// The folder, if it can be used.
    let path: String?

    /// Why it can't.
    let problem: String?

    /// No folder, for the given reason or because none was asked for.
    init(unusableBecause problem: String?) {
        path = nil
        self.problem = problem
    }

    /// Makes the folder if it isn't there.
    init(_ wanted: String?) {
        guard let wanted else {
            self.init(unusableBecause: nil)
            return
        }
        do {
            try FileManager.default.createDirectory(atPath: wanted, withIntermediateDirectories: true)
        } catch {
            self.init(unusableBecause: "can't make the folder \(wanted): \(error.localizedDescription)")
            return
        }
        guard FileManager.default.isWritableFile(atPath: wanted) else {
            self.init(unusableBecause: "can't write to the folder \(wanted)")
            return
        }
        path = wanted
        problem = nil
    }
}
