/// One picture as it came in.
public struct ImageSource: Sendable {
    /// What the client calls it, if it gave a name; handed back with the result.
    public let id: String?
    /// The file's bytes.
    public let bytes: [UInt8]

    /// A picture with the client's name for it.
    public init(id: String? = nil, bytes: [UInt8]) {
        self.id = id
        self.bytes = bytes
    }
}
