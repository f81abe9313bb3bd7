import Foundation

/// The checkout that this file is part of.
package let packageRoot = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()

/// What `make setup` fetched.
package let dependencies = packageRoot.appending(path: ".deps")

/// The Python with the packages of the references.
package let python = dependencies.appending(path: "venv/bin/python").path
