import Analysis
import FoundationEssentials
import HTTPWire
import Scheduling

/// A JSON body of pictures: `{"images":[{"id":"a","base64":"…"},…]}`.
struct ImageEntries: Decodable, Sendable {
    /// The most pictures of a body, as many as a multipart body may have parts.
    static let maximumCount = MultipartLimits().maximumParts

    private enum CodingKeys: CodingKey {
        case images
    }

    private static let cancellation = CodingUserInfoKey(rawValue: "cancellation")

    /// Each entry's picture, or what is wrong with it.
    let items: [ImageItem]

    /// Reads the body.
    ///
    /// - Parameter cancellation: Looked at before each entry.
    /// - Throws: `EmbedRequestError.badJSON` if it is none of this form, `EmbedRequestError.tooManyImages`;
    ///   `CancellationError`.
    init(json bytes: [UInt8], cancellation: CancellationFlag) throws {
        switch JSONSize(of: bytes) {
        case .decodable: break
        case .tooManyValues: throw EmbedRequestError.tooManyImages(limit: Self.maximumCount)
        case .notJSON: throw EmbedRequestError.badJSON(JSONReason.notJSON)
        }
        let decoder = JSONDecoder()
        if let key = Self.cancellation { decoder.userInfo[key] = cancellation }
        do {
            self = try decoder.decode(Self.self, from: Data(bytes))
        } catch let error as DecodingError {
            throw EmbedRequestError.badJSON(JSONReason.text(for: error))
        }
    }

    /// For ``init(json:cancellation:)``.
    init(from decoder: any Decoder) throws {
        let cancellation = Self.cancellation.flatMap { decoder.userInfo[$0] } as? CancellationFlag
        var entries = try decoder.container(keyedBy: CodingKeys.self).nestedUnkeyedContainer(forKey: .images)
        var items: [ImageItem] = []
        while !entries.isAtEnd {
            guard items.count < Self.maximumCount else {
                throw EmbedRequestError.tooManyImages(limit: Self.maximumCount)
            }
            if cancellation?.isCancelled == true { throw CancellationError() }
            // Its base64 text goes right here; only the picture is kept.
            items.append(try entries.decode(ImageEntry.self).item)
        }
        self.items = items
    }
}
