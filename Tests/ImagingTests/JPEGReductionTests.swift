import Scheduling
import Testing

@testable import Imaging

@Suite("Reduced decoding")
struct JPEGReductionTests {
    private static func divisor(_ width: Int, _ height: Int, orientation: Orientation = .upright) throws -> Int {
        let header = ImageHeader(format: .jpeg, width: width, height: height, orientation: orientation)
        let preparation = try Preparation(
            resize: .shorterSide(256), cropWidth: 224, cropHeight: 224, interpolation: .bicubic)
        let geometry = ResizeGeometry(of: header, preparation: preparation)
        return JPEGReduction(of: header, target: geometry).divisor
    }

    @Test func leavesTwiceTheTarget() throws {
        #expect(try Self.divisor(4_000, 3_000) == 4)
        #expect(try Self.divisor(3_000, 4_000, orientation: .turnedRight) == 4)
        #expect(try Self.divisor(640, 427) == 1)
        #expect(try Self.divisor(1_024, 1_024) == 2)
        #expect(try Self.divisor(1_022, 1_022) == 1)
        #expect(try Self.divisor(4_096, 4_096) == 8)
        #expect(try Self.divisor(8_000, 300) == 1)
    }

    @Test func comesCloseToTheFullDecode() throws {
        let bytes = try PillowReference.picture("jpeg-420", width: 701, height: 533)
        let pixels = try [DecodeMode.fast, .exact].map { mode in
            let preparation = try Preparation(
                resize: .shorterSide(32), cropWidth: 32, cropHeight: 32, interpolation: .bicubic, mode: mode)
            return try ImagePreparer.prepare(bytes, preparation: preparation, cancellation: CancellationFlag()).pixels
        }
        let differences = zip(pixels[0], pixels[1]).map { abs(Int($0) - Int($1)) }
        #expect(differences.reduce(0, +) < 4 * differences.count)
        #expect(pixels[0] != pixels[1])
    }
}
