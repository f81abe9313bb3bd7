import Foundation

/// The inputs in `Fuzzing/Corpus`.
package enum FuzzCorpus {
    /// One of them.
    package struct Input: Sendable, CustomStringConvertible {
        package let name: String
        /// What the first byte chooses.
        package let choice: UInt8
        /// What comes behind the two bytes that choose.
        package let bytes: [UInt8]

        package var description: String { name }
    }

    /// All inputs of one fuzzer, by name; at least one.
    package static func inputs(of fuzzer: String) throws -> [Input] {
        let folder = packageRoot.appending(path: "Fuzzing/Corpus/\(fuzzer)")
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
        return try names.map { name in
            let bytes = Array(try Data(contentsOf: folder.appending(path: name)))
            return Input(name: name, choice: bytes.first ?? 0, bytes: Array(bytes.dropFirst(2)))
        }
    }
}
