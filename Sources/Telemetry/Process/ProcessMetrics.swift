import Glibc

/// What every Prometheus client says of its own process, under the standard `process_*` names
/// (prometheus.io, "Writing client libraries", "Process metrics").
public enum ProcessMetrics {
    /// Registers `process_cpu_seconds_total`, `process_resident_memory_bytes`, `process_virtual_memory_bytes`,
    /// `process_open_fds`, `process_max_fds`, `process_start_time_seconds` and `process_threads`.
    ///
    /// Each is read when scraped, in some microseconds; `process_open_fds` takes longer on Linux before 6.2, where the
    /// descriptors have to be listed. Where `/proc` is not there, the metrics that need it are absent: all but CPU
    /// seconds and the maximum of descriptors. One that can't be read later is NaN.
    public static func register(in registry: MetricsRegistry) {
        register(in: registry, procDirectory: "/proc/self")
    }

    static func register(in registry: MetricsRegistry, procDirectory: String) {
        registry.counter(
            "process_cpu_seconds_total", help: "Total user and system CPU time spent in seconds.", read: cpuSeconds)
        registry.gauge(
            "process_max_fds", help: "Maximum number of open file descriptors.", read: maximumDescriptors)
        if let file = ProcFile(path: procDirectory + "/stat"), let status = file.read().flatMap(ProcessStatus.init) {
            registerStatus(in: registry, file: file, atStart: status)
        }
        let descriptors = procDirectory + "/fd"
        if !openDescriptors(in: descriptors).isNaN {
            registry.gauge("process_open_fds", help: "Number of open file descriptors.") {
                openDescriptors(in: descriptors)
            }
        }
    }

    private static func registerStatus(
        in registry: MetricsRegistry, file: ProcFile, atStart status: ProcessStatus
    ) {
        let startTime = startTimeSeconds(startTicks: status.startTicks)
        registry.gauge(
            "process_start_time_seconds", help: "Start time of the process since unix epoch in seconds.",
            read: { startTime })
        let gauges: [(name: String, help: String, value: @Sendable (ProcessStatus) -> Double)] = [
            (
                "process_resident_memory_bytes", "Resident memory size in bytes.",
                { Double($0.residentPages * sysconf(Int32(_SC_PAGESIZE))) }
            ),
            ("process_virtual_memory_bytes", "Virtual memory size in bytes.", { Double($0.virtualBytes) }),
            ("process_threads", "Number of OS threads in the process.", { Double($0.threads) }),
        ]
        for gauge in gauges {
            registry.gauge(gauge.name, help: gauge.help) {
                file.read().flatMap(ProcessStatus.init).map(gauge.value) ?? .nan
            }
        }
    }

    private static func cpuSeconds() -> Double {
        var time = timespec()
        guard clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time) == 0 else { return .nan }
        return seconds(time)
    }

    private static func maximumDescriptors() -> Double {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return .nan }
        return limit.rlim_cur == rlim_t.max ? .infinity : Double(limit.rlim_cur)
    }

    /// Since Linux 6.2 the size of the directory is the number of descriptors; before, it is 0.
    private static func openDescriptors(in path: String) -> Double {
        var status = stat()
        guard stat(path, &status) == 0 else { return .nan }
        return status.st_size > 0 ? Double(status.st_size) : listedDescriptors(in: path)
    }

    private static func listedDescriptors(in path: String) -> Double {
        guard let directory = opendir(path) else { return .nan }
        defer { closedir(directory) }
        var entries = 0
        while readdir(directory) != nil { entries += 1 }
        // Without ".", ".." and the descriptor that the listing itself has open.
        return Double(max(0, entries - 3))
    }

    /// The clock that the kernel counts start ticks on also says how long ago that was.
    private static func startTimeSeconds(startTicks: Int) -> Double {
        var sinceBoot = timespec()
        var now = timespec()
        clock_gettime(CLOCK_BOOTTIME, &sinceBoot)
        clock_gettime(CLOCK_REALTIME, &now)
        let ticksPerSecond = Double(sysconf(Int32(_SC_CLK_TCK)))
        return seconds(now) - seconds(sinceBoot) + Double(startTicks) / ticksPerSecond
    }

    private static func seconds(_ time: timespec) -> Double {
        Double(time.tv_sec) + Double(time.tv_nsec) / 1_000_000_000
    }
}
