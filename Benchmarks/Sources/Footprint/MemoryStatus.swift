import Foundation

/// This process's memory in bytes, from `/proc/self/status` (proc(5)).
struct MemoryStatus {
    /// The most that was ever resident since the peak was reset.
    let peak: Int
    /// What is resident now.
    let resident: Int
    /// The resident part of mapped files, which is mostly code.
    let files: Int

    /// - Throws: If the file is not there or lacks a field.
    init() throws {
        let text = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
        var fields: [Substring: Int] = [:]
        for line in text.split(separator: "\n") {
            let words = line.split(whereSeparator: { " \t:".contains($0) })
            if words.count == 3, words[2] == "kB", let count = Int(words[1]) { fields[words[0]] = count * 1024 }
        }
        guard let peak = fields["VmHWM"], let resident = fields["VmRSS"], let files = fields["RssFile"] else {
            throw CocoaError(.fileReadCorruptFile)
        }
        (self.peak, self.resident, self.files) = (peak, resident, files)
    }
}
