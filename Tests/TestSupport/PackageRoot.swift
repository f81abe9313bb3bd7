import Foundation

/// The checkout that this file is part of.
public let packageRoot = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()

/// What `make setup` fetched.
public let dependencies = packageRoot.appending(path: ".deps")

/// The Python with the packages of the references.
public let python = dependencies.appending(path: "venv/bin/python").path
