import Telemetry

extension Logger {
    /// Logs an event of the file cache if it is one that somebody should know of; the others are only counted.
    func log(_ event: FileCacheEvent, path: String) {
        switch event {
        case .droppedFile(let fault, let detail):
            log(
                .warning, event: "cache_file_dropped",
                fields: ["path": .string(path), "reason": .string(fault.rawValue), "detail": .string(detail)])
        case .unavailable(let reason):
            log(
                .warning, event: "cache_file_unavailable", fields: ["path": .string(path), "reason": .string(reason)])
        case .available:
            log(.info, event: "cache_file_available", fields: ["path": .string(path)])
        case .droppedRow, .evicted, .refused:
            break
        }
    }
}
