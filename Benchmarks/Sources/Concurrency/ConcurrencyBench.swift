import Analysis
import Foundation
import Imaging
import Inference
import Threads

/// How many photos the usual code works on at a time.
let placesOfUsualCode = 4

/// Analyses photos in one way and prints one JSON line of what that took; a process for each, so that peaks don't mix.
///
/// Usage: `concurrency blocks|semaphore|operations|group whole|cancel MODEL-FOLDER COUNT PHOTO...`
/// With `cancel`, the work is cancelled when half of it is done.
@main
struct ConcurrencyBench {
    static func main() throws {
        let arguments = CommandLine.arguments
        guard arguments.count > 5, ["whole", "cancel"].contains(arguments[2]), let count = Int(arguments[4]), count > 1
        else {
            stopBenchmark(
                "usage: concurrency blocks|semaphore|operations|group whole|cancel MODEL-FOLDER COUNT PHOTO...")
        }
        guard ImagePreparer.start() else { stopBenchmark("libvips does not start") }
        let way = try makeWay(arguments[1], engine: InferenceEngine(model: Model(folder: arguments[3])))
        let photos = try PhotoSet(paths: Array(arguments[5...]), count: count)
        let figures = arguments[2] == "cancel" ? cancelled(way, photos) : whole(way, photos)
        print(String(decoding: try JSONSerialization.data(withJSONObject: figures), as: UTF8.self))
    }

    private static func makeWay(_ name: String, engine: InferenceEngine) throws -> any Way {
        let work = PhotoWork(engine: engine, preparation: try Preparation(engine.model.card.recipe, mode: .fast))
        switch name {
        case "blocks": return UnboundedBlocks(work)
        case "semaphore": return SemaphoreAndBarrier(work)
        case "operations": return BoundedOperations(work)
        case "group": return try TaskGroupWay(engine)
        default: stopBenchmark("there is no way called \(name)")
        }
    }

    /// All of the work.
    private static func whole(_ way: any Way, _ photos: PhotoSet) -> [String: Double] {
        ProcessFigures.forgetPeakMemory()
        let memory = ProcessFigures.memoryMegabytes("VmRSS")
        let before = ProcessFigures()
        let observer = Observer()
        let begun = ContinuousClock.now
        way.start(photos, Tally(count: photos.count))
        way.wait()
        let seconds = (ContinuousClock.now - begun) / .seconds(1)
        let after = ProcessFigures()
        let peakMemory = ProcessFigures.memoryMegabytes("VmHWM")
        let (peakThreads, poolDelay) = observer.stop()
        guard way.results == photos.count else {
            stopBenchmark("\(way.results) vectors of \(photos.count) photos")
        }
        return [
            "images_per_second": Double(photos.count) / seconds,
            "cpu_ms_per_image": (after.cpuSeconds - before.cpuSeconds) * 1000 / Double(photos.count),
            "peak_threads": Double(peakThreads),
            "switches_per_image": Double(after.contextSwitches - before.contextSwitches) / Double(photos.count),
            "peak_rss_mb": peakMemory,
            "rss_before_mb": memory,
            "pool_delay_p99_ms": poolDelay / .milliseconds(1),
        ]
    }

    /// Half of the work, and what happens after its cancellation.
    private static func cancelled(_ way: any Way, _ photos: PhotoSet) -> [String: Double] {
        let tally = Tally(count: photos.count)
        way.start(photos, tally)
        tally.waitForHalf()
        let before = ProcessFigures()
        let begun = ContinuousClock.now
        way.cancel()
        let doneAtCancel = tally.count
        way.wait()
        let duration = ContinuousClock.now - begun
        return [
            "stop_ms": duration / .milliseconds(1),
            "images_after_cancel": Double(tally.count - doneAtCancel),
            "cpu_after_cancel_ms": (ProcessFigures().cpuSeconds - before.cpuSeconds) * 1000,
        ]
    }
}

/// Ends the process with a line that says why.
func stopBenchmark(_ reason: String) -> Never {
    FileHandle.standardError.write(Data("concurrency: \(reason)\n".utf8))
    exit(EXIT_FAILURE)
}

/// Starts a thread that belongs to neither Dispatch nor Swift's pool, so that it disturbs neither.
func startThread(name: String, _ body: @escaping @Sendable () -> Void) {
    do {
        try OwnThread.start(name: name, body)
    } catch {
        stopBenchmark("\(error)")
    }
}
