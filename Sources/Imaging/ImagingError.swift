/// Why a body could not be turned into pixels.
///
/// A cancelled decode throws `CancellationError` instead.
public enum ImagingError: Error, Hashable, Sendable {
    /// The bytes are no picture, or one in a format that is not enabled.
    ///
    /// `enabled` is in the order of ``ImageFormat/allCases``.
    case unsupported(found: SniffedContent, enabled: [ImageFormat])

    /// The header announces more pixels than are allowed; nothing was decoded.
    case tooManyPixels(width: Int, height: Int, limit: Int)

    /// The header announces a side longer than is allowed; nothing was decoded.
    case sideTooLong(width: Int, height: Int, limit: Int)

    /// A side is shorter than is accepted; nothing was decoded.
    case tooSmall(width: Int, height: Int, minimumSide: Int)

    /// The picture is damaged or uses a variant that the decoder does not know.
    ///
    /// `what` tells what is wrong and `where` at which place in the file or picture, both as phrases for a person:
    /// `"the data ends early"`, `"after row 120 of 480"`.
    case broken(format: ImageFormat, what: String, where: String)
}

extension ImagingError: CustomStringConvertible {
    /// One sentence for a person, without a full stop.
    public var description: String {
        switch self {
        case .unsupported(let found, let enabled):
            let names = enabled.map(\.rawValue).joined(separator: ", ")
            return "found \(found.name), accepted are \(names)"
        case .tooManyPixels(let width, let height, let limit):
            return "\(width) x \(height) pixels, at most \(limit) pixels are accepted"
        case .sideTooLong(let width, let height, let limit):
            return "\(width) x \(height) pixels, a side may have at most \(limit)"
        case .tooSmall(let width, let height, let minimumSide):
            return "\(width) x \(height) pixels, a side must have at least \(minimumSide)"
        case .broken(let format, let what, let place):
            return "broken \(format.rawValue): \(what), \(place)"
        }
    }
}
