/// Why a recipe cannot be followed for every picture.
public enum InvalidPreparation: Error, Hashable, Sendable {
    /// A side of the resized picture or of the crop is outside of `allowed`.
    case sizeOutOfRange(Int, allowed: ClosedRange<Int>)
    /// Some picture would be smaller than the crop after resizing.
    case cropLargerThanPicture
}
