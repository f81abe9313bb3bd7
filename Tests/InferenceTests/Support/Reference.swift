import Foundation

/// Asks the Python reference for the vectors of pictures.
enum Reference {
    struct Line: Decodable {
        let file: String
        let embedding: [Double]
        let pixels: Data
    }

    struct Failure: Error {
        let status: Int32
    }

    /// The reference's vector of each picture and the pixels that it gave the network.
    static func lines(_ pictures: [String]) throws -> [Line] {
        let process = Process()
        process.executableURL = TestModel.root.appending(path: ".deps/venv/bin/python")
        process.arguments = [TestModel.root.appending(path: "scripts/reference.py").path, "--pixels"] + pictures
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let text = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw Failure(status: process.terminationStatus) }
        return try text.split(separator: UInt8(ascii: "\n")).map { try JSONDecoder().decode(Line.self, from: $0) }
    }
}
