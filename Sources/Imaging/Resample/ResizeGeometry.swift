/// The sizes and places that a recipe gives for one picture, as seen upright.
///
/// The arithmetic is that of torchvision's `Resize` and `CenterCrop`.
struct ResizeGeometry: Hashable {
    /// The size of the whole resized picture.
    let width: Int
    let height: Int
    /// The columns and rows of it that the crop keeps.
    let columns: Range<Int>
    let rows: Range<Int>

    init(of header: ImageHeader, preparation: Preparation) {
        (width, height) = Self.size(header, preparation.resize)
        columns = Self.centre(preparation.cropWidth, in: width)
        rows = Self.centre(preparation.cropHeight, in: height)
    }

    private static func size(_ header: ImageHeader, _ rule: ResizeRule) -> (Int, Int) {
        let (width, height) = (header.uprightWidth, header.uprightHeight)
        switch rule {
        case .exact(let newWidth, let newHeight):
            return (newWidth, newHeight)
        case .shorterSide(let side) where width <= height:
            return (side, proportional(side, long: height, short: width))
        case .shorterSide(let side):
            return (proportional(side, long: width, short: height), side)
        }
    }

    private static func proportional(_ side: Int, long: Int, short: Int) -> Int {
        Int(Double(side * long) / Double(short))
    }

    /// Half a pixel of offset is rounded to the even one, as Python rounds.
    private static func centre(_ size: Int, in whole: Int) -> Range<Int> {
        let offset = Int((Double(whole - size) / 2).rounded(.toNearestOrEven))
        return offset..<offset + size
    }
}
