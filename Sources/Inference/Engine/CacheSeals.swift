import FoundationEssentials

/// The SHA-256 of each compiled network in the cache folder, in a file beside it.
///
/// OpenVINO maps what it finds and checks little of it: with a page of zeros in its middle, as a power failure leaves
/// behind, it computes other vectors and says nothing, and these would be stored for years. Used by whoever holds the
/// folder's ``CacheLock``.
struct CacheSeals {
    private static let networkExtension = "blob"
    private static let sealExtension = "sha256"

    private let folder: URL

    init(folder: String) {
        self.folder = URL(filePath: folder, directoryHint: .isDirectory)
    }

    /// Removes compiled networks that are not what was sealed, or were never sealed: they are compiled anew.
    ///
    /// - Throws: ``InferenceError/damagedCache(file:reason:)`` if one can't be removed.
    func removeBrokenNetworks() throws(InferenceError) {
        for network in networks() where seal(of: network) != digest(of: network) {
            // The next one that is compiled to this name isn't the same to the byte.
            try? FileManager.default.removeItem(at: sealFile(of: network))
            do {
                try FileManager.default.removeItem(at: network)
            } catch {
                throw .damagedCache(file: network.path, reason: SystemReason.text(for: error))
            }
        }
    }

    /// Seals the networks that have no seal yet. One that can't be sealed is compiled anew by the next process.
    func sealNetworks() {
        for network in networks() where seal(of: network) == nil {
            guard let digest = digest(of: network) else { continue }
            try? Data(digest.utf8).write(to: sealFile(of: network), options: .atomic)
        }
    }

    private func networks() -> [URL] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        return names.map { folder.appending(path: $0) }.filter { $0.pathExtension == Self.networkExtension }
    }

    private func sealFile(of network: URL) -> URL { network.appendingPathExtension(Self.sealExtension) }

    private func seal(of network: URL) -> String? {
        (try? Data(contentsOf: sealFile(of: network))).map { String(decoding: $0, as: UTF8.self) }
    }

    private func digest(of network: URL) -> String? {
        (try? Data(contentsOf: network, options: .alwaysMapped)).map { SHA256Digest(of: $0).hexadecimal }
    }
}
