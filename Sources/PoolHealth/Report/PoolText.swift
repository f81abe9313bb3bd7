/// The state of the pools, for people.
enum PoolText {
    static func pools(_ report: PoolReport, records: [StallRecord], requests: [InFlightEntry]) -> String {
        var lines = [
            "mode \(report.mode?.rawValue ?? "not known yet"), parking places \(report.isParkingKnown ? "known" : "guessed"), "
                + "width \(report.width), CPU quota \(report.quota.map { "\($0) cores" } ?? "none"), "
                + "up \(seconds(report.uptime))",
            "",
            row(["pool", "running", "runnable", "blocked", "parked", "state"]),
        ]
        for line in report.pools {
            let census = line.census
            lines.append(
                row([
                    line.pool.rawValue, "\(census.running)", "\(census.runnable)", "\(census.blocked)",
                    "\(census.parked)", state(line, uptime: report.uptime),
                ]))
        }
        if !report.lanes.isEmpty { lines += ["", row(["lane", "running", "runnable", "blocked", "parked"])] }
        for line in report.lanes {
            let census = line.census
            lines.append(
                row([
                    line.lane, "\(census.running)", "\(census.runnable)", "\(census.blocked)", "\(census.parked)",
                ]))
        }
        lines += ["", row(["probe", "priority", "last", "unanswered"])]
        for probe in report.probes {
            lines.append(
                row([
                    probe.lane.rawValue, probe.priority.rawValue, probe.latency.map(milliseconds) ?? "-",
                    probe.age > .zero ? milliseconds(probe.age) : "-",
                ]))
        }
        lines += ["", "threads of Dispatch's root queues:"]
        for (root, threads) in zip(RootQueue.all, report.threadsPerRoot) {
            lines.append("  \(root.name) \(threads) of \(RootQueue.threadLimit)")
        }
        lines += report.explosions.map { "  growing: \($0)" }
        lines += ["", "requests in flight: \(requests.count)"]
        lines += requests.prefix(StallReporter.keptRequests).map { "  \($0.identifier) \($0.stage) \(seconds($0.age))" }
        if let last = records.last { lines += ["", "last stall:"] + stall(last) }
        return lines.joined(separator: "\n") + "\n"
    }

    static func stalls(_ records: [StallRecord]) -> String {
        guard !records.isEmpty else { return "no stall since the start\n" }
        return records.reversed().flatMap { stall($0) + [""] }.joined(separator: "\n") + "\n"
    }

    static func stacks(_ threads: [AllStacks.Thread]) -> String {
        threads.map { thread in
            let wait = thread.wait.map { ", waits for \($0.rawValue)" } ?? ""
            let lane = thread.lane.map { ", lane \($0)" } ?? ""
            let frames = thread.frames.isEmpty ? ["  (running)"] : thread.frames.map { "  \($0.site) [\($0.image)]" }
            return (["\(thread.number) \(thread.name)\(lane), state \(thread.state)\(wait)"] + frames).joined(
                separator: "\n")
        }.joined(separator: "\n\n") + "\n"
    }

    private static func state(_ line: PoolReport.Line, uptime: Duration) -> String {
        guard let stall = line.stall else { return line.isAtRisk ? "at risk" : "ok" }
        return "\(stall.verdict.cause.rawValue) for \(seconds(uptime - stall.start))\(stall.isSevere ? ", severe" : "")"
    }

    private static func stall(_ record: StallRecord) -> [String] {
        var lines = ["#\(record.number) \(headline(record))"]
        for culprit in record.culprits {
            lines.append("  " + Self.culprit(culprit))
            lines += culprit.frames.map { "      \($0.site) [\($0.image)]" }
        }
        lines += record.lanes.compactMap(\.busyInWords).map { "  lane \($0)" }
        lines += record.requests.map { "  in flight: \($0.identifier) \($0.stage) \(seconds($0.age))" }
        return lines
    }

    /// A stall in a line, without its number.
    static func headline(_ record: StallRecord) -> String {
        let length = record.duration.map(seconds) ?? "lasting"
        return "\(record.pool): \(record.verdict.cause.rawValue) (\(percent(record.verdict.confidence))), \(length)"
            + (record.isSevere ? ", severe" : "")
    }

    /// How many threads are where, and what they wait for.
    static func culprit(_ culprit: Culprit) -> String {
        "\(culprit.threads) x \(culprit.site), waits for \(culprit.wait?.rawValue ?? "?")"
    }

    static func percent(_ share: Double) -> String { "\(Int((share * 100).rounded())) %" }

    private static func row(_ columns: [String]) -> String {
        let width = 16
        return columns.map { $0 + String(repeating: " ", count: max(1, width - $0.count)) }.joined()
    }

    static func seconds(_ duration: Duration) -> String {
        "\((duration.inSeconds * 100).rounded() / 100) s"
    }

    private static func milliseconds(_ duration: Duration) -> String {
        "\((duration.inSeconds * 100_000).rounded() / 100) ms"
    }
}
