import CPoolHealth
import Telemetry

/// The last resort: end the process with what is known, for an orchestrator to start another.
enum Aborting {
    private static let flushTimeout = Duration.seconds(1)

    static func abort(_ stall: Stall, record: StallRecord?, lasted: Duration, logger: Logger) -> Never {
        var fields: LogFields = [
            "pool": .string(stall.poolName), "cause": .string(stall.verdict.cause.rawValue),
            "duration_ms": .milliseconds(lasted),
        ]
        for (index, culprit) in (record?.culprits ?? []).enumerated() {
            fields.append("stack_\(index)", .strings(culprit.frames.map(\.site)))
        }
        logger.log(.error, event: "pool_abort", fields: fields)
        logger.flush(timeout: flushTimeout)
        cpoolhealth_abort()
    }
}
