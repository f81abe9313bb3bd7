import Analysis
import FoundationEssentials

/// A picture as JSON holds it: `{"id":"a","base64":"…"}`.
struct ImageEntry: Decodable, Sendable {
    private let id: String?
    private let base64: String?
    private let url: String?

    /// Reads one entry.
    ///
    /// - Returns: the picture, or what is wrong with the entry.
    static func item(fromJSON bytes: [UInt8]) -> ImageItem {
        switch JSONSize(of: bytes) {
        case .decodable: break
        case .tooManyValues:
            let reason = "it has more than \(JSONSize.maximumValues) values"
            return .unreadable(id: nil, ImageEntryError.notAnEntry(reason))
        case .notJSON:
            return .unreadable(id: nil, ImageEntryError.notAnEntry(JSONReason.notJSON))
        }
        do {
            return try JSONDecoder().decode(Self.self, from: Data(bytes)).item
        } catch {
            return .unreadable(id: nil, ImageEntryError.notAnEntry(JSONReason.text(for: error)))
        }
    }

    /// The picture, or what is wrong with the entry.
    var item: ImageItem {
        if let id, id.utf8.count > EmbedOptions.maximumIdBytes {
            return .unreadable(id: nil, ImageEntryError.idTooLong(limit: EmbedOptions.maximumIdBytes))
        }
        guard url == nil else { return .unreadable(id: id, ImageEntryError.urlsNotRead) }
        guard let base64 else { return .unreadable(id: id, ImageEntryError.noPicture) }
        guard let data = Data(base64Encoded: base64) else {
            return .unreadable(id: id, ImageEntryError.notBase64)
        }
        return .image(ImageSource(id: id, bytes: Array(data)))
    }
}
