/// One call on a stack, in words.
public struct Frame: Sendable, Equatable {
    /// The function's name, demangled, as far as the binary tells it.
    public let function: String
    /// The source file's name without its folders; `nil` without debug information.
    public let file: String?
    /// The line in the file.
    public let line: Int?
    /// The name of the program or library.
    public let image: String

    /// `function file:line`, without what isn't known.
    public var site: String {
        guard let file, let line else { return function }
        return "\(function) \(file):\(line)"
    }

    /// Whether it belongs to the C library, Dispatch, the Swift runtime or Foundation: to what a culprit calls, and not
    /// to the culprit.
    var isOfSystem: Bool {
        if file != nil { return false }
        return Self.systemImages.contains { image.hasPrefix($0) }
            || Self.systemFunctions.contains { function.hasPrefix($0) }
    }

    private static let systemImages = [
        "libc.so", "libpthread", "ld-linux", "libdispatch", "libswift", "libFoundation", "lib_Foundation",
        "libBlocksRuntime", "libstdc++", "libgcc", "linux-vdso", "libm.so",
    ]
    /// For programs that have all of these linked in.
    private static let systemFunctions = [
        "_dispatch_", "dispatch_", "swift_", "swift::", "_swift_", "__", "start_thread", "clone", "0x",
    ]
}
