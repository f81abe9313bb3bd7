import Foundation
import TestSupport
import Testing

/// The page at `/debug/` in a real browser, which `scripts/setup test` installs.
@Suite(.serialized, .disabled(if: Fixture.isSanitized)) struct PageTests {
    @Test func drawsAStallWithItsCulprit() async throws {
        let fixture = try await Fixture.start()
        defer { fixture.stop() }
        _ = try await fixture.client.post("/debug/chaos?fault=sleep&workers=16&seconds=60")
        let began = ContinuousClock.now
        while try await !fixture.client.get("/debug/stalls").body.contains("chaosSleep"), .now - began < .seconds(20) {
            try await Task.sleep(for: .milliseconds(50))
        }
        let folder = try TemporaryFolder()
        // Runs the page's timers for five seconds of its own time, then prints what it has become.
        let result = try await CommandResult.run(
            "chromium",
            [
                "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
                "--user-data-dir=\(folder.file("profile").path)", "--virtual-time-budget=5000", "--dump-dom",
                "http://127.0.0.1:\(fixture.client.port)/debug/",
            ])
        let page = result.text
        #expect(result.exitStatus == 0, "\(result.errorText.suffix(2_000))")
        #expect(page.contains("mode full, width "))
        for pool in ["user_initiated", "default", "utility", "background"] {
            #expect(page.contains("<figure data-priority=\"\(pool)\">"))
        }
        #expect(page.firstMatch(of: #/<polyline points="[0-9]/#) != nil)
        #expect(page.firstMatch(of: #/<span class="alarm">blocked for [0-9.]+ m?s/#) != nil)
        #expect(page.firstMatch(of: #/<summary>[0-9]+ × chaosSleep\(until:\) Chaos\.swift:[0-9]+, sleep/#) != nil)
        #expect(page.contains("<i class=\"stage\""))
        #expect(!page.contains("class=\"lost\""))
    }
}
