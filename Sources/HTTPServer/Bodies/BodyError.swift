import HTTPWire

/// Why a request's body can't be read to its end.
public enum BodyError: Error, Hashable, Sendable {
    /// The client left before the body was complete.
    case clientGone
    /// The body has more bytes than the route, or the reader, takes.
    case tooLarge(limit: Int)
    /// The chunked coding is broken.
    case malformed(BodyDecodingError)
    /// The client sent the body too slowly.
    case tooSlow
    /// The content coding is broken.
    case malformedCoding(GzipError)
    /// All bodies together hold as much memory as they may, and this one is larger than what is kept for one.
    case budgetExhausted
    /// Two readers wait at the same time, or somebody reads again what was read before.
    case alreadyConsumed

    init(_ error: BodyDecodingError) {
        if case .tooLarge(let limit) = error {
            self = .tooLarge(limit: limit)
        } else {
            self = .malformed(error)
        }
    }
}
