import Dispatch
import Imaging
import Scheduling
import Testing
import Threads

/// Several lanes decode at once.
@Suite("Decoding on several threads")
struct ConcurrentDecodeTests {
    @Test func givesTheSameAsOneAfterTheOther() throws {
        let pictures = [
            "jpeg-420", "jpeg-progressive", "png-rgb", "png-interlaced", "webp-lossy", "webp-animation", "gif",
        ]
        let jobs = pictures.map { PillowReference.Job(picture: $0, width: 70, height: 50, resize: .none) }
        let files = try PillowReference.run(jobs).map(\.file)
        let preparation = try Preparation(
            resize: .shorterSide(20), cropWidth: 20, cropHeight: 20, interpolation: .bicubic, mode: .exact)
        let prepare = { @Sendable (bytes: [UInt8]) -> [UInt8]? in
            try? ImagePreparer.prepare(bytes, preparation: preparation, cancellation: CancellationFlag()).pixels
        }
        let expected = files.map(prepare)
        let truncated = files.map { Array($0.prefix($0.count / 2)) }
        let failures = Locked(0)
        DispatchQueue.concurrentPerform(iterations: 200) { iteration in
            let index = iteration % files.count
            let whole = prepare(files[index]) == expected[index]
            let broken = prepare(truncated[index]) == nil
            if !whole || !broken { failures.withLock { $0 += 1 } }
        }
        #expect(failures.withLock { $0 } == 0)
        #expect(expected.allSatisfy { $0 != nil })
    }
}
