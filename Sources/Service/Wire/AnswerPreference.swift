import HTTPWire

/// Which form of answer a client would rather have, by its `Accept` (RFC 9110 section 12.5.1).
struct AnswerPreference: Equatable {
    /// Whether it would rather have a vector's bytes than JSON. Of two that it likes as well, the one that it names,
    /// and JSON if it names both or neither.
    let prefersBytes: Bool
    /// Whether it takes a vector's bytes and no JSON. Who names neither gets JSON, as a page from a browser does.
    let isForBytesAlone: Bool

    /// How much a form is wanted; the better one is the greater.
    private struct Rank {
        /// 0: not at all; 1: the most.
        let quality: Double
        /// How closely the media range that says so names the form: by its type, its kind, or not at all.
        let closeness: Int
    }

    /// - Parameter accept: The elements of the field; none if it wasn't sent.
    init(accept elements: [String]) {
        let ranges = elements.compactMap { MediaType($0) }
        let bytes = Self.rank(of: "application/octet-stream", in: ranges)
        let json = Self.rank(of: "application/json", in: ranges)
        prefersBytes = bytes.quality > 0 && (bytes.quality, bytes.closeness) > (json.quality, json.closeness)
        isForBytesAlone = bytes.quality > 0 && json.quality == 0
    }

    /// What the closest range says.
    private static func rank(of form: String, in ranges: [MediaType]) -> Rank {
        for (range, closeness) in [(form, 2), ("application/*", 1), ("*/*", 0)] {
            if let quality = ranges.filter({ $0.essence == range }).map(quality).max() {
                return Rank(quality: quality, closeness: closeness)
            }
        }
        return Rank(quality: 0, closeness: 0)
    }

    /// A weight that is none counts as none.
    private static func quality(of range: MediaType) -> Double {
        guard let weight = range[parameter: "q"].flatMap(Double.init), (0...1).contains(weight) else { return 1 }
        return weight
    }
}
