import Imaging
import TestSupport
import Testing

@testable import Analysis

@Suite struct CachedAnalysisTests {
    @Test func comesBackFromItsBytesBitForBit() {
        for number in 0..<40 {
            let analysis = CacheSamples.analysis(number)
            #expect(CachedAnalysis(payload: analysis.payload) == analysis)
        }
        let odd: [Float] = [.infinity, -.infinity, -0.0, .leastNonzeroMagnitude, .greatestFiniteMagnitude, .nan]
        let analysis = CachedAnalysis(
            embedding: odd, header: ImageHeader(format: .webp, width: 1, height: 2),
            dominantColor: RGBColor(red: 255, green: 0, blue: 128))
        let bits = CachedAnalysis(payload: analysis.payload)?.embedding.map(\.bitPattern)
        #expect(bits == odd.map(\.bitPattern))
    }

    /// Written by hand after the description of the form.
    @Test func hasTheFormThatIsDescribed() {
        let analysis = CachedAnalysis(
            embedding: [1, -2], header: ImageHeader(format: .png, width: 258, height: 3, orientation: .turnedRight),
            dominantColor: RGBColor(red: 10, green: 20, blue: 30))
        let form: [UInt8] = [
            2, 1, 0, 0, 3, 0, 0, 0, 6, 10, 20, 30, 3, 0x70, 0x6e, 0x67, 0, 0, 0x80, 0x3f, 0, 0, 0, 0xc0,
        ]
        #expect(analysis.payload == form)
    }

    @Test func otherBytesAreRefusedAndNeverTrap() {
        let payload = CacheSamples.analysis(3, dimensions: 2).payload
        for count in 0..<payload.count {
            let cut = CachedAnalysis(payload: Array(payload.prefix(count)))
            #expect(cut == nil || cut?.embedding.count ?? 2 < 2)
        }
        var random = SeededGenerator(seed: 4)
        for _ in 0..<20_000 {
            var damaged = payload
            damaged[Int.random(in: 0..<payload.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
            _ = CachedAnalysis(payload: damaged)
        }
    }
}
