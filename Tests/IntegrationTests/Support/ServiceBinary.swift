import Foundation

/// The binary under test: the release that `make test` built, or else the one beside these tests.
let serviceBinary: URL = {
    if let path = ProcessInfo.processInfo.environment["EMBEDD_BINARY"] {
        return URL(fileURLWithPath: path)
    }
    return URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
        .appending(path: "embedd")
}()
