import Imaging
import Inference

extension Preparation {
    /// The model card's recipe in Imaging's terms; the two rooms don't know each other.
    ///
    /// - Throws: `InvalidPreparation` for a resize or crop that can't be done.
    public init(_ recipe: ModelRecipe, mode: DecodeMode) throws(InvalidPreparation) {
        let resize: ResizeRule =
            switch recipe.resize {
            case .shorterSide(let side): .shorterSide(side)
            case .exact(let size): .exact(width: size.width, height: size.height)
            }
        let interpolation: Interpolation =
            switch recipe.interpolation {
            case .bilinear: .bilinear
            case .bicubic: .bicubic
            case .lanczos: .lanczos
            }
        try self.init(
            resize: resize, cropWidth: recipe.crop.width, cropHeight: recipe.crop.height,
            interpolation: interpolation, mode: mode)
    }
}
