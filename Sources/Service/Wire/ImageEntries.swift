import Analysis
import FoundationEssentials

/// A JSON body of pictures: `{"images":[{"id":"a","base64":"…"},…]}`.
struct ImageEntries: Decodable, Sendable {
    private let images: [ImageEntry]

    /// Reads the body.
    ///
    /// - Throws: `EmbedRequestError.badJSON` if it is none of this form.
    init(json bytes: [UInt8]) throws(EmbedRequestError) {
        do {
            self = try JSONDecoder().decode(Self.self, from: Data(bytes))
        } catch {
            throw .badJSON(JSONReason.text(for: error))
        }
    }

    /// Each entry's picture, or what is wrong with it.
    var items: [ImageItem] { images.map(\.item) }
}
