/// What the monitor reported of a fault.
public struct ChaosOutcome: Sendable {
    /// The fault.
    public let plan: ChaosPlan
    /// The state of the pools at the end.
    let report: PoolReport
    /// What was reported of the pool that was broken; `nil` if nothing was.
    public let stall: StallRecord?
    /// From the fault's start to the report; `nil` without one.
    public let seenAfter: Duration?
    /// Other stalls meanwhile: pauses of the whole process above all.
    public let others: [StallRecord]

    /// How much the platform lets the monitor see; `nil` if it couldn't find out in time.
    public var mode: MonitorMode? { report.mode }

    /// Whether the fault was reported, with the right verdict.
    public var isRight: Bool {
        stall.map { rightCauses.contains($0.verdict.cause) } ?? false
    }

    private var rightCauses: [StallCause] { plan.fault.rightCauses(hasQuota: report.quota != nil) }

    /// For people, a fact a line.
    public var text: String {
        var lines = [
            line("fault", plan.summary),
            line("width", "\(report.width), CPU quota \(report.quota.map { "\($0) cores" } ?? "none")"),
            line("mode", modeInWords),
            line("verdict", verdictInWords),
        ]
        if let seenAfter { lines.append(line("seen after", PoolText.seconds(seenAfter))) }
        if let stall {
            lines.append(line("lasted", stall.duration.map(PoolText.seconds) ?? "still lasting"))
            lines += stall.culprits.map { line("culprit", PoolText.culprit($0)) }
            if stall.culprits.isEmpty { lines.append(line("culprit", "none: \(reasonWithoutCulprit)")) }
        }
        lines += others.map { line("besides", PoolText.headline($0)) }
        return lines.joined(separator: "\n") + "\n"
    }

    private func line(_ name: String, _ value: String) -> String {
        let width = 12
        return name + String(repeating: " ", count: width - name.count) + value
    }

    private var modeInWords: String {
        let places = report.isParkingKnown ? "" : "; which threads are idle is guessed"
        return switch mode {
        case .full: "full: threads, stacks, names" + places
        case .framesOnly: "frames only: a stripped binary has few names and no lines" + places
        case MonitorMode.none?: "none: /proc or process_vm_readv is missing, so no threads and no stacks"
        case nil: "not found out in time"
        }
    }

    private var verdictInWords: String {
        let right = rightCauses.map(\.rawValue).joined(separator: " or ")
        guard let stall else {
            let few = plan.workers < report.width ? "; fewer workers than the width needn't stop it" : ""
            return "none: \(plan.stalledPool.rawValue) was not seen to stand still, \(right) was expected\(few)"
        }
        let confidence = PoolText.percent(stall.verdict.confidence)
        let found = "\(stall.verdict.cause.rawValue) (\(confidence)) at \(stall.pool)"
        return isRight ? "\(found), as expected" : "\(found), \(right) was expected"
    }

    private var reasonWithoutCulprit: String {
        if plan.fault == .compute { return "threads that compute have no readable stack" }
        return mode == MonitorMode.none ? "the platform gives no stacks" : "no stack could be read"
    }
}
