import Analysis
import Imaging
import Inference
import Scheduling

/// The work on one photo as a call that blocks its thread.
struct PhotoWork: Sendable {
    let engine: InferenceEngine
    let preparation: Preparation

    /// Decodes and infers. It can't be cancelled, as the usual blocking call can't.
    func vector(of photo: [UInt8]) -> [Float] {
        do {
            let prepared = try ImagePreparer.prepare(
                photo, preparation: preparation, cancellation: CancellationFlag())
            return try engine.inferBlocking(prepared.pixels)
        } catch {
            stopBenchmark("a photo failed: \(error)")
        }
    }
}
