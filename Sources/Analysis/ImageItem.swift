/// One entry of a stream of pictures.
public enum ImageItem: Sendable {
    /// A picture.
    case image(ImageSource)
    /// An entry that holds none, and why.
    case unreadable(id: String?, any Error)
}
