/// How far a JPEG is reduced while it is decoded.
///
/// The decoder can leave away high frequencies and so give 1/2, 1/4 or 1/8 of each side for a fraction of the cost.
/// It could also give other eighths, but has no vector code for those: 3/8 takes longer than 1/2.
struct JPEGReduction {
    /// How many times the resize target has to be left on each side. Twice is what keeps the vector: a cosine of at
    /// least 0.997 to that of the full decode.
    static let margin = 2

    /// 1, 2, 4 or 8.
    let divisor: Int

    static let none = JPEGReduction(divisor: 1)

    /// None in ``DecodeMode/exact`` and for other formats, which can't be reduced.
    static func chosen(for header: ImageHeader, target: ResizeGeometry, mode: DecodeMode) -> JPEGReduction {
        header.format == .jpeg && mode == .fast ? JPEGReduction(of: header, target: target) : .none
    }

    private init(divisor: Int) {
        self.divisor = divisor
    }

    /// The strongest reduction that leaves ``margin`` times the target on both sides of the upright picture.
    init(of header: ImageHeader, target: ResizeGeometry) {
        let divisor = [8, 4, 2].first { divisor in
            Self.divide(header.uprightWidth, by: divisor) >= Self.margin * target.width
                && Self.divide(header.uprightHeight, by: divisor) >= Self.margin * target.height
        }
        self.init(divisor: divisor ?? 1)
    }

    /// The decoder rounds up.
    func reduced(_ side: Int) -> Int { Self.divide(side, by: divisor) }

    private static func divide(_ side: Int, by divisor: Int) -> Int { (side + divisor - 1) / divisor }
}
