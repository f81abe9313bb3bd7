import Foundation

/// The checkout that this file is part of.
let packageRoot = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()

/// What `make setup` fetched.
let dependencies = packageRoot.appending(path: ".deps")

/// The binary under test: the release that `make test` built, or else the one beside these tests.
let serviceBinary: URL = {
    if let path = ProcessInfo.processInfo.environment["EMBEDD_BINARY"] {
        return URL(fileURLWithPath: path)
    }
    return URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
        .appending(path: "embedd")
}()
