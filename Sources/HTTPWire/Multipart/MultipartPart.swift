/// What a part's headers say of it (RFC 7578, section 4).
public struct MultipartPart: Sendable, Equatable {
    /// The form field's name; may be empty.
    public let name: String
    /// The file's name as the client gave it, directories and all: a label, never a path to open. Empty if a browser's
    /// file field was left empty, nil if the part is not a file.
    public let filename: String?
    /// The part's `Content-Type` as sent; nil if there is none.
    public let contentType: String?

    /// A part's description.
    public init(name: String, filename: String? = nil, contentType: String? = nil) {
        self.name = name
        self.filename = filename
        self.contentType = contentType
    }
}
