import HTTPWire

extension HTTPFields {
    /// Says that the response depends on a field of the request, beside what Vary says already (RFC 9110 section
    /// 12.5.5).
    mutating func addVary(_ name: String) {
        let names = listElements(.vary)
        guard !names.contains("*"), !names.contains(where: { $0.lowercased() == name.lowercased() }) else { return }
        set(.vary, (names + [name]).joined(separator: ", "))
    }
}
