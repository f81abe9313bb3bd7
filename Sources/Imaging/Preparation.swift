/// The recipe by which a picture becomes the pixels that a model reads: resize, then crop at the centre.
public struct Preparation: Hashable, Sendable {
    /// The size before the crop.
    public let resize: ResizeRule
    /// The width of the crop, and so of the result, in pixels.
    public let cropWidth: Int
    /// The height of the crop, and so of the result, in pixels.
    public let cropHeight: Int
    /// The resampling filter.
    public let interpolation: Interpolation
    /// Whether a JPEG may be reduced while it is decoded.
    public let mode: DecodeMode

    /// - Throws: ``InvalidPreparation`` if a size is not between 1 and ``maximumSide``, or if the crop could be larger
    ///   than the resized picture.
    public init(
        resize: ResizeRule, cropWidth: Int, cropHeight: Int, interpolation: Interpolation, mode: DecodeMode = .fast
    ) throws(InvalidPreparation) {
        self.resize = resize
        self.cropWidth = cropWidth
        self.cropHeight = cropHeight
        self.interpolation = interpolation
        self.mode = mode
        try validate()
    }

    /// The largest side of a resized picture; far above any model's input, it bounds the memory of a preparation.
    public static let maximumSide = 4_096

    private func validate() throws(InvalidPreparation) {
        let smallest =
            switch resize {
            case .shorterSide(let side): (width: side, height: side)
            case .exact(let width, let height): (width: width, height: height)
            }
        for side in [smallest.width, smallest.height, cropWidth, cropHeight]
        where !(1...Self.maximumSide).contains(side) {
            throw .sizeOutOfRange(side, allowed: 1...Self.maximumSide)
        }
        guard cropWidth <= smallest.width, cropHeight <= smallest.height else {
            throw .cropLargerThanPicture
        }
    }
}
