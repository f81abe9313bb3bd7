/// What size a picture is resampled to before its centre is cut out.
///
/// In a card: `{"shorterSide": 256}` or `{"exact": {"width": 256, "height": 256}}`.
public enum ModelResize: Equatable, Sendable {
    /// The shorter side becomes this long, the longer one keeps the picture's proportions.
    case shorterSide(Int)

    /// Both sides, whatever the picture's proportions were.
    case exact(ModelSize)

    /// Whether every resized picture is at least as large as `size`.
    func covers(_ size: ModelSize) -> Bool {
        switch self {
        case .shorterSide(let side): size.width <= side && size.height <= side
        case .exact(let resized): size.width <= resized.width && size.height <= resized.height
        }
    }
}

extension ModelResize: Codable {
    private enum Key: String, CodingKey {
        case shorterSide
        case exact
    }

    /// Reads one of the two forms.
    ///
    /// - Throws: `DecodingError` for neither or both.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        let side = try container.decodeIfPresent(Int.self, forKey: .shorterSide)
        let size = try container.decodeIfPresent(ModelSize.self, forKey: .exact)
        switch (side, size) {
        case (let side?, nil): self = .shorterSide(side)
        case (nil, let size?): self = .exact(size)
        case (nil, nil), (.some, .some):
            throw DecodingError.dataCorrupted(
                .init(codingPath: decoder.codingPath, debugDescription: "give either shorterSide or exact"))
        }
    }

    /// Writes the form that ``init(from:)`` reads.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        switch self {
        case .shorterSide(let side): try container.encode(side, forKey: .shorterSide)
        case .exact(let size): try container.encode(size, forKey: .exact)
        }
    }
}
