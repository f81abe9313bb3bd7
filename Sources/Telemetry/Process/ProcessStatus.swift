/// The fields of `/proc/<pid>/stat` that metrics need (man 5 proc_pid_stat).
struct ProcessStatus: Equatable {
    /// Field 20.
    let threads: Int
    /// Field 22: when the process started, in clock ticks since boot.
    let startTicks: Int
    /// Field 23, in bytes.
    let virtualBytes: Int
    /// Field 24, in pages.
    let residentPages: Int

    /// Nil if the text is not what the kernel writes.
    init?(_ text: String) {
        // The second field is the program's name in parentheses, which may itself hold spaces and parentheses.
        guard let nameEnd = text.utf8.lastIndex(of: UInt8(ascii: ")")) else { return nil }
        let fields = text.utf8[nameEnd...].dropFirst().split(separator: UInt8(ascii: " ")).map(Substring.init)
        let firstField = 3
        guard fields.count > 24 - firstField,
            let threads = Int(fields[20 - firstField]), let startTicks = Int(fields[22 - firstField]),
            let virtualBytes = Int(fields[23 - firstField]), let residentPages = Int(fields[24 - firstField])
        else { return nil }
        self.threads = threads
        self.startTicks = startTicks
        self.virtualBytes = virtualBytes
        self.residentPages = residentPages
    }
}
