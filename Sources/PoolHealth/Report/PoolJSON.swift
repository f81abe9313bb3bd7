/// The state of the pools, for programs. Durations are seconds.
enum PoolJSON {
    static func pools(
        _ report: PoolReport, records: [StallRecord], requests: [InFlightEntry], stages: [(name: String, count: Int)]
    ) -> JSONValue {
        .object([
            ("mode", .optional(report.mode) { .string($0.rawValue) }),
            ("parking_known", .bool(report.isParkingKnown)),
            ("width", .integer(report.width)),
            ("quota_cores", .optional(report.quota) { .number($0) }),
            ("uptime", seconds(report.uptime)),
            ("pools", .array(report.pools.map { pool($0, uptime: report.uptime) })),
            ("lanes", .array(report.lanes.map(lane))),
            ("probes", .array(report.probes.map(probe))),
            (
                "roots",
                .array(
                    zip(RootQueue.all, report.threadsPerRoot).map { root, threads in
                        .object([
                            ("root", .string(root.name)), ("threads", .integer(threads)),
                            ("limit", .integer(RootQueue.threadLimit)),
                        ])
                    })
            ),
            ("explosions", .array(report.explosions.map { .string($0) })),
            ("stages", .object(stages.map { ($0.name, .integer($0.count)) })),
            ("requests", .array(requests.prefix(StallReporter.keptRequests).map(request))),
            ("last_stall", .optional(records.last, stall)),
        ])
    }

    static func stalls(_ records: [StallRecord]) -> JSONValue {
        .object([("stalls", .array(records.map(stall)))])
    }

    static func stacks(_ threads: [AllStacks.Thread]) -> JSONValue {
        .object([
            (
                "threads",
                .array(
                    threads.map { thread in
                        .object([
                            ("thread", .integer(Int(thread.number))), ("name", .string(thread.name)),
                            ("lane", .optional(thread.lane) { .string($0) }),
                            ("state", .string(thread.state)), ("wait", .optional(thread.wait) { .string($0.rawValue) }),
                            ("frames", .array(thread.frames.map(frame))),
                        ])
                    })
            )
        ])
    }

    private static func pool(_ line: PoolReport.Line, uptime: Duration) -> JSONValue {
        .object([
            ("pool", .string(line.pool.rawValue)),
            ("running", .integer(line.census.running)),
            ("runnable", .integer(line.census.runnable)),
            ("blocked", .integer(line.census.blocked)),
            ("parked", .integer(line.census.parked)),
            ("at_risk", .bool(line.isAtRisk)),
            (
                "stall",
                .optional(line.stall) { stall in
                    .object([
                        ("number", .integer(stall.number)), ("cause", .string(stall.verdict.cause.rawValue)),
                        ("confidence", .number(stall.verdict.confidence)), ("severe", .bool(stall.isSevere)),
                        ("duration", seconds(uptime - stall.start)),
                    ])
                }
            ),
        ])
    }

    private static func lane(_ line: LaneLine) -> JSONValue {
        .object([
            ("lane", .string(line.lane)),
            ("running", .integer(line.census.running)),
            ("runnable", .integer(line.census.runnable)),
            ("blocked", .integer(line.census.blocked)),
            ("parked", .integer(line.census.parked)),
        ])
    }

    private static func probe(_ line: PoolReport.ProbeLine) -> JSONValue {
        .object([
            ("lane", .string(line.lane.rawValue)), ("priority", .string(line.priority.rawValue)),
            ("latency", .optional(line.latency, seconds)), ("age", seconds(line.age)),
        ])
    }

    private static func request(_ entry: InFlightEntry) -> JSONValue {
        .object([
            ("id", .string(entry.identifier)), ("stage", .string(entry.stage)), ("age", seconds(entry.age)),
        ])
    }

    private static func stall(_ record: StallRecord) -> JSONValue {
        .object([
            ("number", .integer(record.number)), ("pool", .string(record.pool)),
            ("cause", .string(record.verdict.cause.rawValue)), ("confidence", .number(record.verdict.confidence)),
            ("began", seconds(record.began)), ("duration", .optional(record.duration, seconds)),
            ("severe", .bool(record.isSevere)),
            (
                "culprits",
                .array(
                    record.culprits.map { culprit in
                        .object([
                            ("site", .string(culprit.site)), ("wait", .optional(culprit.wait) { .string($0.rawValue) }),
                            ("threads", .integer(culprit.threads)), ("frames", .array(culprit.frames.map(frame))),
                        ])
                    })
            ),
            ("lanes", .array(record.lanes.map(lane))),
            ("requests", .array(record.requests.map(request))),
        ])
    }

    private static func frame(_ frame: Frame) -> JSONValue {
        .object([
            ("function", .string(frame.function)), ("file", .optional(frame.file) { .string($0) }),
            ("line", .optional(frame.line) { .integer($0) }), ("image", .string(frame.image)),
        ])
    }

    private static func seconds(_ duration: Duration) -> JSONValue { .number(duration.inSeconds) }
}
