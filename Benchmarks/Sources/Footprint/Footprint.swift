import Foundation
import Imaging
import Scheduling

/// What a decode really takes at its peak beside what was foretold from the header.
///
/// Usage: `footprint PICTURE...`. Decodes each picture in both modes, each in a process of its own, so that no memory
/// of the one before is used again. Prints one line for each: picture, mode, foretold and measured megabytes and the
/// measured share of what was foretold.
@main
struct Footprint {
    private static let program = "/proc/self/exe"
    /// How the program calls itself for one picture.
    private static let single = "--single"

    static func main() throws {
        let arguments = CommandLine.arguments
        if arguments.count == 4, arguments[1] == single, let mode = DecodeMode(rawValue: arguments[2]) {
            return try measure(arguments[3], mode: mode)
        }
        guard arguments.count > 1 else { fail("usage: footprint PICTURE...") }
        print("picture                    mode    foretold   measured  ratio")
        for picture in arguments.dropFirst() {
            for mode in DecodeMode.allCases { try measureInChild(picture, mode: mode) }
        }
    }

    private static func measureInChild(_ picture: String, mode: DecodeMode) throws {
        let child = Process()
        child.executableURL = URL(fileURLWithPath: try FileManager.default.destinationOfSymbolicLink(atPath: program))
        child.arguments = [single, mode.rawValue, picture]
        try child.run()
        child.waitUntilExit()
        // It has told why.
        guard child.terminationStatus == EXIT_SUCCESS else { exit(EXIT_FAILURE) }
    }

    private static func measure(_ picture: String, mode: DecodeMode) throws {
        let preparation = try Preparation(
            resize: .shorterSide(256), cropWidth: 224, cropHeight: 224, interpolation: .bicubic, mode: mode)
        let limits = DecodeLimits(enabledFormats: Set(ImageFormat.allCases))
        guard ImagePreparer.start() else { fail("libvips could not be started") }
        let bytes = read(picture)
        let file = try ImageFile(opening: bytes, limits: limits)
        let foretold = file.decodeFootprintBytes(for: preparation)

        // Resets the peak; proc(5), clear_refs.
        try Data("5".utf8).write(to: URL(fileURLWithPath: "/proc/self/clear_refs"))
        let before = try MemoryStatus()
        do {
            _ = try ImagePreparer.prepare(file, preparation: preparation, cancellation: CancellationFlag())
        } catch {
            fail("\(picture): \(error)")
        }
        let after = try MemoryStatus()

        // The decoders' code counts as resident from its first use and stays so; it is no memory of the picture's.
        let measured = after.peak - before.resident - (after.files - before.files)
        let name = URL(fileURLWithPath: picture).lastPathComponent
        print(
            name.padding(toLength: 26, withPad: " ", startingAt: 0),
            mode.rawValue.padding(toLength: 5, withPad: " ", startingAt: 0),
            String(
                format: "%10.2f %10.2f  %5.2f", Double(foretold) / 1e6, Double(measured) / 1e6,
                Double(measured) / Double(foretold)))
    }

    /// Straight into the array: memory that a copy gave back would be used again unseen.
    private static func read(_ path: String) -> [UInt8] {
        guard let stream = fopen(path, "rb") else { fail("\(path) can't be opened") }
        defer { fclose(stream) }
        fseek(stream, 0, SEEK_END)
        let length = ftell(stream)
        rewind(stream)
        return [UInt8](unsafeUninitializedCapacity: length) { buffer, count in
            count = fread(buffer.baseAddress, 1, length, stream)
        }
    }

    private static func fail(_ message: String) -> Never {
        FileHandle.standardError.write(Data("\(message)\n".utf8))
        exit(EXIT_FAILURE)
    }
}
