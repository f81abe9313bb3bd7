import Analysis
import Foundation
import Imaging
import Inference
import Scheduling
import Synchronization

/// The limit that the service is measured against: decode, resample and infer in a loop, one thread a core, no HTTP.
///
/// Usage: `limit MODEL-FOLDER PICTURE fast|exact SECONDS`. Prints one JSON line.
@main
struct Limit {
    static func main() throws {
        let arguments = CommandLine.arguments
        guard arguments.count == 5, let mode = DecodeMode(rawValue: arguments[3]), let seconds = Double(arguments[4])
        else {
            FileHandle.standardError.write(Data("usage: limit MODEL-FOLDER PICTURE fast|exact SECONDS\n".utf8))
            exit(EXIT_FAILURE)
        }
        let picture = Array(try Data(contentsOf: URL(fileURLWithPath: arguments[2])))
        let model = try Model(folder: arguments[1])
        let engine = try InferenceEngine(model: model)
        let preparation = try Preparation(model.card.recipe, mode: mode)

        let images = Atomic(0)
        let clock = ContinuousClock()
        let begun = clock.now
        let cpu = cpuSeconds()
        let end = begun + .seconds(seconds)
        let threads = DispatchGroup()
        for _ in 0..<UsableCores.count() {
            threads.enter()
            Thread.detachNewThread {
                while clock.now < end {
                    do {
                        let prepared = try ImagePreparer.prepare(
                            picture, preparation: preparation, cancellation: CancellationFlag())
                        _ = try engine.inferBlocking(prepared.pixels)
                    } catch {
                        FileHandle.standardError.write(Data("limit: \(error)\n".utf8))
                        exit(EXIT_FAILURE)
                    }
                    images.add(1, ordering: .relaxed)
                }
                threads.leave()
            }
        }
        threads.wait()
        let elapsed = (clock.now - begun) / .seconds(1)
        let count = images.load(ordering: .relaxed)
        let cpuMilliseconds = (cpuSeconds() - cpu) * 1000 / Double(count)
        print(
            "{\"images_per_second\": \(Double(count) / elapsed), \"cpu_ms_per_image\": \(cpuMilliseconds)}")
    }

    /// User and system time of this process so far.
    private static func cpuSeconds() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}
