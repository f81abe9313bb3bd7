/// How a picture becomes the network's input: resize, cut out the centre, then `(value - mean) / std` for each channel.
public struct ModelRecipe: Codable, Equatable, Sendable {
    /// The largest side, in pixels, that a resize or a crop may have.
    public static let maximumSide = 4096

    /// What size the whole picture is resampled to.
    public let resize: ModelResize

    /// The centre that is kept. It is the network's input size.
    public let crop: ModelSize

    /// The resampling filter.
    public let interpolation: ModelInterpolation

    /// Subtracted from red, green and blue, in pixel values of 0…255.
    public let mean: [Float]

    /// What red, green and blue are then divided by, in pixel values, over 0.
    public let std: [Float]

    /// A recipe with the given values, unchecked.
    public init(
        resize: ModelResize, crop: ModelSize, interpolation: ModelInterpolation, mean: [Float], std: [Float]
    ) {
        self.resize = resize
        self.crop = crop
        self.interpolation = interpolation
        self.mean = mean
        self.std = std
    }

    func validate() throws(ModelCardError) {
        switch resize {
        case .shorterSide(let side):
            try Self.validateSide(side, "recipe.resize.shorterSide")
        case .exact(let size):
            try Self.validateSize(size, "recipe.resize.exact")
        }
        try Self.validateSize(crop, "recipe.crop")
        guard resize.covers(crop) else {
            throw ModelCardError(field: "recipe.crop", problem: "is larger than what recipe.resize leaves")
        }
        try Self.validateChannels(mean, "recipe.mean", "three numbers of 0 to 255") { (0...255).contains($0) }
        try Self.validateChannels(std, "recipe.std", "three numbers over 0, up to 255") { $0 > 0 && $0 <= 255 }
    }

    private static func validateSize(_ size: ModelSize, _ field: String) throws(ModelCardError) {
        try validateSide(size.width, "\(field).width")
        try validateSide(size.height, "\(field).height")
    }

    private static func validateSide(_ side: Int, _ field: String) throws(ModelCardError) {
        guard (1...maximumSide).contains(side) else {
            throw ModelCardError(field: field, problem: "\(side) is not 1 to \(maximumSide) pixels")
        }
    }

    private static func validateChannels(
        _ values: [Float], _ field: String, _ allowed: String, _ isAllowed: (Float) -> Bool
    ) throws(ModelCardError) {
        guard values.count == 3, values.allSatisfy(isAllowed) else {
            throw ModelCardError(field: field, problem: "\(values) is not \(allowed)")
        }
    }
}
