import COpenVINO

/// Calls of OpenVINO's C API that report failure by a status.
enum OpenVINOCall {
    /// Turns a status that is not OK into an error.
    ///
    /// - Parameter operation: what was attempted, for a person: "read the network".
    static func check(_ status: ov_status_e, _ operation: String) throws(InferenceError) {
        guard status != OK else { return }
        throw .runtime(operation: operation, status: status.rawValue, reason: lastMessage() ?? meaning(of: status))
    }

    /// The library keeps one message for the whole process, so while another thread fails too this may be its message:
    /// good enough for a person, and the reason why nothing is decided by it.
    private static func lastMessage() -> String? {
        guard let message = ov_get_last_err_msg() else { return nil }
        // Returned as a copy that is ours.
        defer { ov_free(message) }
        let lines = String(cString: message).split(whereSeparator: \.isNewline)
        return lines.isEmpty ? nil : lines.joined(separator: "; ")
    }

    private static func meaning(of status: ov_status_e) -> String {
        // A constant of the library, never freed.
        ov_get_error_info(status).map { String(cString: $0) } ?? "unknown"
    }
}
