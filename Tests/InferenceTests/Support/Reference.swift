import Foundation
import TestSupport

/// Asks the Python reference for the vectors of pictures.
enum Reference {
    struct Line: Decodable {
        let file: String
        let embedding: [Double]
        let pixels: Data
    }

    struct Failure: Error {
        let log: String
    }

    /// The reference's vector of each picture and the pixels that it gave the network.
    static func lines(_ pictures: [String]) throws -> [Line] {
        let result = try CommandResult.runBlocking(
            python, [packageRoot.appending(path: "scripts/reference.py").path, "--pixels"] + pictures)
        guard result.exitStatus == 0 else { throw Failure(log: result.errorText) }
        return try result.output.split(separator: UInt8(ascii: "\n")).map {
            try JSONDecoder().decode(Line.self, from: $0)
        }
    }
}
