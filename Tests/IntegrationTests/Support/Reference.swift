import Foundation
import TestSupport
import Testing

/// `scripts/reference.py`: Pillow and the same ONNX file, run live.
enum Reference {
    struct Line: Decodable {
        let file: String
        let embedding: [Double]?
        let error: String?
    }

    /// The reference's answer for each picture, in order.
    static func lines(for pictures: [URL]) async throws -> [Line] {
        let result = try await CommandResult.run(
            python,
            [packageRoot.appending(path: "scripts/reference.py").path] + pictures.map(\.path))
        try #require(result.exitStatus == 0, "\(result.errorText)")
        return try result.text.split(separator: "\n").map { try JSONDecoder().decode(Line.self, from: Data($0.utf8)) }
    }
}
