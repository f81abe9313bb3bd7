import Foundation
import Scheduling
import Testing

@testable import Imaging

@Suite("Cancelling")
struct CancellationTests {
    private static func preparation() throws -> Preparation {
        try Preparation(
            resize: .shorterSide(32), cropWidth: 32, cropHeight: 32, interpolation: .bicubic, mode: .exact)
    }

    /// Counts rows and sets the flag at one of them.
    private final class CancellingSink: RowSink {
        let flag = CancellationFlag()
        private let lastRow: Int
        private(set) var rows = 0

        init(after lastRow: Int) {
            self.lastRow = lastRow
        }

        func take(_ row: UnsafeBufferPointer<UInt32>) {
            rows += 1
            if rows == lastRow { flag.cancel() }
        }
    }

    @Test(arguments: ["jpeg-420", "jpeg-progressive", "png-rgb", "png-interlaced", "webp-lossy", "gif", "tiff"])
    func doesNotStartWhenNobodyWaits(_ picture: String) throws {
        let bytes = try PillowReference.picture(picture, width: 64, height: 64)
        let flag = CancellationFlag()
        flag.cancel()
        let limits = DecodeLimits(enabledFormats: Set(ImageFormat.allCases))
        #expect(throws: CancellationError.self) {
            try ImagePreparer.prepare(bytes, preparation: Self.preparation(), limits: limits, cancellation: flag)
        }
    }

    @Test(arguments: ["jpeg-420", "jpeg-progressive", "jpeg-cmyk"])
    func stopsAJPEGAtTheNextRow(_ picture: String) throws {
        let file = try ImageFile(opening: PillowReference.picture(picture, width: 64, height: 200))
        let sink = CancellingSink(after: 10)
        #expect(throws: CancellationError.self) {
            try JPEGDecoder(file: file, reduction: .none, cancellation: sink.flag).decode(into: sink)
        }
        #expect(sink.rows == 10)
    }

    @Test(arguments: ["png-rgb", "webp-lossy", "gif"])
    func stopsOtherFormatsAtTheNextStrip(_ picture: String) throws {
        let file = try ImageFile(opening: PillowReference.picture(picture, width: 64, height: 200))
        let sink = CancellingSink(after: 10)
        #expect(throws: CancellationError.self) {
            try VipsDecoder(file: file, cancellation: sink.flag).decode(into: sink)
        }
        #expect(sink.rows == 16)
    }

    @Test func stopsAProgressionFromAnotherThread() throws {
        let height = 1_200
        let file = try ImageFile(opening: PillowReference.picture("jpeg-progressive", width: 1_600, height: height))
        let flag = CancellationFlag()
        let started = DispatchSemaphore(value: 0)
        let canceller = Thread {
            started.wait()
            flag.cancel()
        }
        canceller.start()
        var sink = CancellingSink(after: .max)
        // Should the other thread be slow, the picture is decoded once more.
        #expect(throws: CancellationError.self) {
            while true {
                sink = CancellingSink(after: .max)
                started.signal()
                try JPEGDecoder(file: file, reduction: .none, cancellation: flag).decode(into: sink)
            }
        }
        #expect(sink.rows < height)
    }
}
