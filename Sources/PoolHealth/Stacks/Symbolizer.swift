import CPoolHealth
import FoundationEssentials
import Runtime

/// Gives addresses their names: function, file and line from the binary's debug information, or what the dynamic linker
/// knows. Reads files and takes milliseconds, more for the first stack; never used by the monitor's own thread.
struct Symbolizer {
    private static let maximumNameLength = 160

    private let images = ImageMap.capture()

    #if arch(arm64)
        private static let architecture = "aarch64"
    #else
        private static let architecture = "x86_64"
    #endif

    /// The calls of a stack, the innermost first; inlined functions have frames of their own.
    func frames(_ addresses: [UInt]) -> [Frame] {
        guard let backtrace = Self.backtrace(addresses), let symbols = backtrace.symbolicated(with: images) else {
            return addresses.map(Self.linkerFrame)
        }
        var frames: [Frame] = []
        for frame in symbols.frames {
            guard let symbol = frame.symbol else {
                guard let address = UInt(frame.captured.adjustedProgramCounter) else { continue }
                frames.append(Self.linkerFrame(address))
                continue
            }
            let location = symbol.sourceLocation
            frames.append(
                Frame(
                    function: Self.bounded(symbol.name), file: location.map { Self.lastComponent($0.path) },
                    line: location?.line, image: symbol.imageName))
        }
        return frames
    }

    private static func backtrace(_ addresses: [UInt]) -> Backtrace? {
        let encoded = Data(CompactBacktrace.bytes(addresses)).base64EncodedString()
        let json = #"{"architecture":"\#(architecture)","backtrace":"\#(encoded)"}"#
        return try? JSONDecoder().decode(Backtrace.self, from: Data(json.utf8))
    }

    /// Never an address, which would differ between two runs of one program: the offset in the image.
    private static func linkerFrame(_ address: UInt) -> Frame {
        var image: UnsafePointer<CChar>?
        var offset: UInt = 0
        let name = cpoolhealth_symbol(address, &image, &offset)
        let imageName = image.map { lastComponent(String(cString: $0)) } ?? "unknown"
        let function = name.map { bounded(String(cString: $0)) } ?? "\(imageName)+0x\(String(offset, radix: 16))"
        return Frame(function: function, file: nil, line: nil, image: imageName)
    }

    private static func bounded(_ name: String) -> String {
        name.utf8.count <= maximumNameLength ? name : String(name.prefix(maximumNameLength - 1)) + "…"
    }

    private static func lastComponent(_ path: String) -> String {
        path.split(separator: "/").last.map(String.init) ?? path
    }
}
