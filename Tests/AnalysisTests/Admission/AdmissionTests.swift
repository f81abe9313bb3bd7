import Scheduling
import TestSupport
import Testing

@testable import Analysis

@Suite struct AdmissionTests {
    private func test(_ admission: AdmissionLimits) throws -> TestAnalyzer {
        try TestAnalyzer(decodeThreads: 1, AnalyzerConfiguration(admission: admission))
    }

    @Test func beyondTheLinesLengthAnImageIsRefusedAtOnce() async throws {
        let test = try test(.patient(images: 2))
        try await test.withLaneHeldUp {
            var tasks = try await test.takeTurns()
            tasks += (100..<102).map { number in Task { try await test.analyzer.analyze(TestAnalyzer.cat(number)) } }
            try await eventually("the line is full") { test.analyzer.load.waitingImages == 2 }
            let refusal = await #expect(throws: Overload.self) {
                try await test.analyzer.analyze(TestAnalyzer.cat(200))
            }
            #expect(refusal?.reason == .images)
            #expect(test.metric("embedd_admission_refused_total{reason=\"queue_images\"}") == 1)
            #expect(test.metric("embedd_images_total{format=\"jpeg\",outcome=\"overload\"}") == 1)
            await test.end(tasks)
        }
        try await eventually("nothing is left") { test.isIdle }
    }

    @Test func batchImagesWaitInsteadOfBeingRefused() async throws {
        let test = try test(.patient(images: 1))
        let tasks = try await test.withLaneHeldUp {
            let tasks = try await test.takeTurns()
            let more = (100..<105).map { number in
                Task { try await test.analyzer.analyze(TestAnalyzer.cat(number), .batch) }
            }
            try await eventually("all wait") { test.analyzer.load.waitingImages == 5 }
            return tasks + more
        }
        for task in tasks { _ = try await task.value }
        #expect(test.isIdle)
    }

    @Test func interactiveImagesAreLetInWhileBatchImagesWait() async throws {
        let test = try test(.patient(images: 1))
        let (tasks, interactive) = try await test.withLaneHeldUp {
            let tasks = try await test.takeTurns()
            let batch = (100..<110).map { number in
                Task { try await test.analyzer.analyze(TestAnalyzer.cat(number), .batch) }
            }
            try await eventually("all wait") { test.analyzer.load.waitingImages == 10 }
            let interactive = Task { try await test.analyzer.analyze(TestAnalyzer.cat(200)) }
            try await eventually("it waits, too") { test.analyzer.load.waitingImages == 11 }
            return (tasks + batch, interactive)
        }
        #expect(try await interactive.value.embedding.count == 1280)
        for task in tasks { _ = try await task.value }
    }

    @Test func interactiveImagesThatMayNotBeRefusedTakeNobodysPlaceInTheLine() async throws {
        let test = try test(.patient(images: 1))
        let ofAJob = Urgency(priority: .interactive, deadline: nil, mayBeRefused: false)
        let tasks = try await test.withLaneHeldUp {
            var tasks = try await test.takeTurns()
            tasks += (100..<105).map { number in
                Task { try await test.analyzer.analyze(TestAnalyzer.cat(number), ofAJob) }
            }
            try await eventually("all wait") { test.analyzer.load.waitingImages == 5 }
            tasks.append(Task { try await test.analyzer.analyze(TestAnalyzer.cat(200)) })
            try await eventually("it waits, too") { test.analyzer.load.waitingImages == 6 }
            return tasks
        }
        for task in tasks { _ = try await task.value }
        #expect(test.isIdle)
    }

    @Test func anImageThatWaitsTooLongIsRefused() async throws {
        let test = try test(AdmissionLimits(timeout: .milliseconds(30)))
        try await test.withLaneHeldUp {
            let tasks = try await test.takeTurns()
            let refusal = await #expect(throws: Overload.self) {
                try await test.analyzer.analyze(TestAnalyzer.cat(200))
            }
            #expect(refusal?.reason == .timeout)
            #expect(test.analyzer.load.waitingImages == 0)
            await test.end(tasks)
        }
    }

    @Test func turnsThatWereCutShortSayNothingAboutTheWait() async throws {
        let test = try TestAdmission()
        for _ in 0..<10 {
            await #expect(throws: CancellationError.self) {
                try await test.admission.withTurn(for: 1, .interactive()) { throw CancellationError() }
            }
        }
        let waiting = try await test.withTurnHeld {
            let waiting = try await test.wait()
            #expect(test.admission.estimatedWait == .zero)
            return waiting
        }
        try await waiting.value
        // Those two were used to their ends.
        let last = try await test.withTurnHeld {
            let last = try await test.wait()
            #expect(test.admission.estimatedWait > .zero)
            return last
        }
        try await last.value
    }
}
