/// One entry of a stream of pictures.
public enum ImageItem: Sendable {
    /// A picture.
    case image(ImageSource)
    /// An entry that holds none, and why.
    case unreadable(id: String?, any Error)

    /// What it takes in memory, roughly, in bytes.
    var byteCount: Int {
        switch self {
        case .image(let source): source.bytes.count + (source.id?.utf8.count ?? 0) + Self.bytesBesideTheFile
        case .unreadable(let id, _): (id?.utf8.count ?? 0) + Self.bytesBesideTheFile
        }
    }

    private static let bytesBesideTheFile = 256
}
