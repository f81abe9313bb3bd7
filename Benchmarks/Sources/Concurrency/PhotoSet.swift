import Foundation

/// As many photos as are wanted out of a few files: each file again and again, in turn, and no two the same bytes.
struct PhotoSet: Sendable {
    private let files: [[UInt8]]

    /// How many photos there are.
    let count: Int

    /// Reads the files, so that nothing waits for a disk afterwards.
    ///
    /// - Parameters:
    ///   - paths: At least one.
    ///   - count: How many photos to make of them.
    init(paths: [String], count: Int) throws {
        files = try paths.map { Array(try Data(contentsOf: URL(fileURLWithPath: $0))) }
        self.count = count
    }

    /// A copy of the photo's bytes, as reading its file would give. Its number follows the picture's own end, where
    /// decoders don't look, so that nobody takes two for one.
    subscript(index: Int) -> [UInt8] {
        let file = files[index % files.count]
        let number = withUnsafeBytes(of: UInt64(index)) { Array($0) }
        return [UInt8](unsafeUninitializedCapacity: file.count + number.count) { buffer, count in
            count = buffer[...].update(fromContentsOf: file)
            count += buffer[count...].update(fromContentsOf: number) - count
        }
    }
}
