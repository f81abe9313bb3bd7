import Testing

@testable import Imaging

@Suite("Recipes")
struct PreparationTests {
    @Test func refusesSizesThatNoPictureCanFill() {
        #expect(throws: InvalidPreparation.cropLargerThanPicture) {
            try Preparation(resize: .shorterSide(200), cropWidth: 224, cropHeight: 10, interpolation: .bicubic)
        }
        #expect(throws: InvalidPreparation.cropLargerThanPicture) {
            try Preparation(
                resize: .exact(width: 300, height: 200), cropWidth: 224, cropHeight: 224, interpolation: .bicubic)
        }
        #expect(throws: InvalidPreparation.sizeOutOfRange(0, allowed: 1...4_096)) {
            try Preparation(resize: .shorterSide(200), cropWidth: 0, cropHeight: 10, interpolation: .bicubic)
        }
        #expect(throws: InvalidPreparation.sizeOutOfRange(5_000, allowed: 1...4_096)) {
            try Preparation(resize: .shorterSide(5_000), cropWidth: 1, cropHeight: 1, interpolation: .bicubic)
        }
    }

    /// Expected values from torchvision's `Resize(256)` and `CenterCrop(224)`.
    @Test(arguments: [
        (4_000, 3_000, 341, 256, 58, 16), (3_000, 4_000, 256, 341, 16, 58), (640, 427, 383, 256, 80, 16),
        (1, 1, 256, 256, 16, 16), (60_000, 10, 1_536_000, 256, 767_888, 16),
    ])
    func followsTorchvision(_ width: Int, _ height: Int, _ newWidth: Int, _ newHeight: Int, _ left: Int, _ top: Int)
        throws
    {
        let preparation = try Preparation(
            resize: .shorterSide(256), cropWidth: 224, cropHeight: 224, interpolation: .bicubic)
        let header = ImageHeader(format: .png, width: width, height: height)
        let geometry = ResizeGeometry(of: header, preparation: preparation)
        #expect((geometry.width, geometry.height) == (newWidth, newHeight))
        #expect(geometry.columns == left..<left + 224)
        #expect(geometry.rows == top..<top + 224)
    }
}
