import Analysis
import Foundation
import Imaging
import Inference

/// Keys and analyses that a number tells apart.
enum CacheSamples {
    static func key(_ number: Int, fingerprint: String = "sha256:abc") -> AnalysisKey {
        AnalysisKey(content: SHA256Digest(of: Data("\(number)".utf8)), fingerprint: fingerprint)
    }

    static func analysis(_ number: Int, dimensions: Int = 1280) -> CachedAnalysis {
        CachedAnalysis(
            embedding: (0..<dimensions).map { Float(number) + Float($0) / 8 },
            header: ImageHeader(
                format: ImageFormat.allCases[number % ImageFormat.allCases.count], width: number + 1, height: 300,
                orientation: Orientation.allCases[number % Orientation.allCases.count]),
            dominantColor: RGBColor(red: UInt8(number % 256), green: 1, blue: 2))
    }
}
