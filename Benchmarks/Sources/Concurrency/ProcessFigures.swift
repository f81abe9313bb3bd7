import Glibc

/// What the kernel has counted for this process.
struct ProcessFigures {
    /// User and system time so far.
    let cpuSeconds: Double
    /// Voluntary and involuntary ones so far, of threads that have ended too.
    let contextSwitches: Int

    /// Asks the kernel.
    init() {
        var usage = rusage()
        getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
        func seconds(_ time: timeval) -> Double { Double(time.tv_sec) + Double(time.tv_usec) / 1e6 }
        cpuSeconds = seconds(usage.ru_utime) + seconds(usage.ru_stime)
        contextSwitches = usage.ru_nvcsw + usage.ru_nivcsw
    }

    /// The threads of this process: its folder of them has a link for each, beside the two of any folder.
    static var threads: Int {
        var status = stat()
        stat("/proc/self/task", &status)
        return Int(status.st_nlink) - 2
    }

    /// Lets `VmHWM` begin again from what is resident now (proc(5), clear_refs).
    static func forgetPeakMemory() {
        guard let file = fopen("/proc/self/clear_refs", "w") else { return }
        fputs("5", file)
        fclose(file)
    }

    /// A field of `/proc/self/status` that is given in kB, such as `VmRSS` or `VmHWM`, in MB.
    static func memoryMegabytes(_ field: String) -> Double {
        guard let file = fopen("/proc/self/status", "r") else { return .nan }
        defer { fclose(file) }
        var line = [CChar](repeating: 0, count: 256)
        while fgets(&line, Int32(line.count), file) != nil {
            let words = String(decoding: line.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
                .split { $0 == "\t" || $0 == " " }
            guard words.first == "\(field):"[...], words.count > 1 else { continue }
            return (Double(words[1]) ?? .nan) * 1024 / 1e6
        }
        return .nan
    }
}
