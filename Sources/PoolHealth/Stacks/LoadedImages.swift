import CPoolHealth

/// Where the program and its libraries have their code and data.
struct LoadedImages {
    /// More than a process has: some five for each library.
    private static let maximumSegments = 4_096

    private let executable: [Range<UInt>]
    private let writable: [(range: Range<UInt>, image: Int32)]

    static func now() -> LoadedImages {
        let segments = [cpoolhealth_segment](unsafeUninitializedCapacity: maximumSegments) { buffer, count in
            count = min(cpoolhealth_segments(buffer.baseAddress, buffer.count), buffer.count)
        }
        return LoadedImages(segments)
    }

    private init(_ segments: [cpoolhealth_segment]) {
        executable = segments.filter { $0.executable != 0 }.map { $0.start..<$0.end }
            .sorted { $0.lowerBound < $1.lowerBound }
        writable = segments.filter { $0.writable != 0 }.map { ($0.start..<$0.end, $0.image) }
    }

    /// Whether an address is inside of code.
    func isCode(_ address: UInt) -> Bool {
        var low = 0
        var high = executable.count
        while low < high {
            let middle = (low + high) / 2
            if executable[middle].upperBound <= address { low = middle + 1 } else { high = middle }
        }
        return low < executable.count && executable[low].contains(address)
    }

    /// The data segment that an address is in.
    func data(holding address: UInt) -> (range: Range<UInt>, isMainProgram: Bool)? {
        writable.first { $0.range.contains(address) }.map { ($0.range, $0.image == 0) }
    }
}
