import Testing

@testable import Imaging

/// Files of millions of empty blocks: refused, or read without their far end, instead of walked through.
@Suite struct HeaderLimitsTests {
    private static let blocks = HeaderLimits.maximumBlocks + 1

    private func broken(_ bytes: [UInt8]) -> String? {
        guard
            case .broken(_, let what, _) = #expect(
                throws: ImagingError.self, performing: { try ImageFile(opening: bytes) })
        else { return nil }
        return what
    }

    @Test func aJPEGOfEmptySegmentsIsRefused() {
        let segments = Array(repeating: [0xFF, 0xE0, 0x00, 0x02] as [UInt8], count: Self.blocks).flatMap(\.self)
        #expect(broken([0xFF, 0xD8] + segments) == "more than 65536 segments before the first scan")
    }

    @Test func aJPEGOfFillBytesIsRefused() {
        let fill = [UInt8](repeating: 0xFF, count: HeaderLimits.maximumFillBytes + 2)
        #expect(broken([0xFF, 0xD8] + fill) == "no marker for 1048576 bytes")
    }

    @Test func aGIFOfEmptyExtensionsIsRefused() {
        let screen = Array("GIF89a".utf8) + [1, 0, 1, 0, 0, 0, 0]
        let extensions = Array(repeating: [0x21, 0xFE, 0x00] as [UInt8], count: Self.blocks).flatMap(\.self)
        #expect(broken(screen + extensions) == "more than 65536 blocks before the first frame")
        let oneOfManyBlocks =
            [0x21, 0xFE] + Array(repeating: [1, 0x20] as [UInt8], count: Self.blocks).flatMap(\.self)
        #expect(broken(screen + oneOfManyBlocks) == "more than 65536 blocks before the first frame")
    }
}
