import CPoolHealth
import FoundationEssentials
import Runtime

/// Gives addresses their names: function, file and line from the binary's debug information, or what the dynamic linker
/// knows. Reads files and takes up to a second for the first address; the module keeps what it has read until the
/// thread ends.
struct Symbolizer {
    private static let maximumNameLength = 160
    /// What the module calls a function of a stripped binary.
    private static let noName = "<unknown>"

    /// What was loaded when the first stack was named; libraries that come later have their names from the dynamic
    /// linker. Never captured again: symbolication maps the libraries' files to read them, and a later capture (Swift
    /// 6.3) takes those mappings for the libraries and finds no name at all.
    private static let images = ImageMap.capture()

    /// Notes what is loaded now.
    ///
    /// It reads the head of every file that is mapped into the process (Swift 6.3), which is a SIGSEGV if another
    /// thread unmaps one at that moment, as inference runtimes do while they load a model.
    static func captureImages() { _ = images }

    #if arch(arm64)
        private static let architecture = "aarch64"
    #else
        private static let architecture = "x86_64"
    #endif

    /// The calls at each address, the innermost first: where functions were inlined, there are several.
    ///
    /// - Returns: at least one frame for each address.
    func names(of entries: [CompactBacktrace.Entry]) -> [CompactBacktrace.Entry: [Frame]] {
        var names = symbols(of: entries)
        for entry in entries where names[entry] == nil { names[entry] = [Self.linkerFrame(entry)] }
        return names
    }

    private func symbols(of entries: [CompactBacktrace.Entry]) -> [CompactBacktrace.Entry: [Frame]] {
        guard !entries.isEmpty,
            let symbols = Self.backtrace(entries)?.symbolicated(with: Self.images)
        else { return [:] }
        var names: [CompactBacktrace.Entry: [Frame]] = [:]
        for frame in symbols.frames {
            guard let entry = Self.entry(frame.captured), let symbol = frame.symbol, symbol.rawName != Self.noName
            else { continue }
            // Code that the compiler made has no place in the source: it says line 0.
            let location = symbol.sourceLocation.flatMap { $0.line > 0 ? $0 : nil }
            names[entry, default: []].append(
                Frame(
                    function: Self.bounded(symbol.name), file: location.map { Self.lastComponent($0.path) },
                    line: location?.line, image: symbol.imageName))
        }
        return names
    }

    private static func entry(_ frame: Backtrace.Frame) -> CompactBacktrace.Entry? {
        guard let address = UInt(frame.originalProgramCounter) else { return nil }
        if case .returnAddress = frame { return CompactBacktrace.Entry(address: address, isReturnAddress: true) }
        return CompactBacktrace.Entry(address: address, isReturnAddress: false)
    }

    private static func backtrace(_ entries: [CompactBacktrace.Entry]) -> Backtrace? {
        let encoded = Data(CompactBacktrace.bytes(entries)).base64EncodedString()
        let json = #"{"architecture":"\#(architecture)","backtrace":"\#(encoded)"}"#
        return try? JSONDecoder().decode(Backtrace.self, from: Data(json.utf8))
    }

    /// What the dynamic linker knows of an address, without reading a file. Never the address itself, which would
    /// differ between two runs of one program: the offset in the image.
    static func linkerFrame(_ entry: CompactBacktrace.Entry) -> Frame {
        var image: UnsafePointer<CChar>?
        var offset: UInt = 0
        let name = cpoolhealth_symbol(entry.isReturnAddress ? entry.address - 1 : entry.address, &image, &offset)
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
