import Foundation
import TestSupport

/// Pictures, and what Pillow makes of them, computed live by `pillow_reference.py`.
struct PillowReference {
    /// One picture and its recipe, as the script reads it.
    struct Job: Encodable, CustomStringConvertible {
        var picture: String
        var width: Int
        var height: Int
        var seed = 1
        var orientation = 1
        var resize: Resize = .shorterSide(32)
        var crop: [Int] = [24, 24]
        var interpolation = "bicubic"

        var description: String {
            "\(picture) \(width)x\(height) seed \(seed) orientation \(orientation) \(resize) crop \(crop) \(interpolation)"
        }
    }

    enum Resize: Encodable {
        case none
        case shorterSide(Int)
        case exact([Int])

        func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            switch self {
            case .none: try container.encodeNil()
            case .shorterSide(let side): try container.encode(side)
            case .exact(let sides): try container.encode(sides)
            }
        }
    }

    struct Answer {
        let job: Job
        let file: [UInt8]
        /// Empty for a job without a recipe.
        let pixels: [UInt8]
    }

    struct Failure: Error {
        let message: String
    }

    private struct Request: Encodable {
        let directory: String
        let jobs: [Job]
    }

    /// Runs all jobs in one Python process.
    static func run(_ jobs: [Job]) throws -> [Answer] {
        let folder = try TemporaryFolder()
        try runScript(Request(directory: folder.url.path, jobs: jobs))
        return try jobs.enumerated().map { index, job in
            let file = try Data(contentsOf: folder.file("\(index).file"))
            let pixels = try? Data(contentsOf: folder.file("\(index).rgb"))
            return Answer(job: job, file: [UInt8](file), pixels: [UInt8](pixels ?? Data()))
        }
    }

    /// One encoded picture without a recipe.
    static func picture(_ name: String, width: Int, height: Int, orientation: Int = 1) throws -> [UInt8] {
        let answers = try run([
            Job(picture: name, width: width, height: height, orientation: orientation, resize: .none)
        ])
        guard let answer = answers.first else { throw Failure(message: "no answer") }
        return answer.file
    }

    private static func runScript(_ request: Request) throws {
        let script = packageRoot.appending(path: "Tests/ImagingTests/pillow_reference.py").path
        let result = try CommandResult.runBlocking(python, [script], input: JSONEncoder().encode(request))
        guard result.exitStatus == 0 else { throw Failure(message: result.errorText) }
    }
}
