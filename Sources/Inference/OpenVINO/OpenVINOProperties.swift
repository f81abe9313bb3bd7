import COpenVINO

/// Settings in the form in which the C API takes them: an array of pointers to keys and values.
struct OpenVINOProperties: ~Copyable {
    private let strings: [UnsafeMutablePointer<CChar>]

    /// Its pointers are valid as long as this value lives.
    let array: [ov_property_t]

    init(_ settings: [(key: String, value: String)]) {
        var strings: [UnsafeMutablePointer<CChar>] = []
        array = settings.map { key, value in
            let (key, value) = (Self.copy(key), Self.copy(value))
            strings += [key, value]
            return ov_property_t(key: key, value: value)
        }
        self.strings = strings
    }

    deinit {
        for string in strings {
            string.deallocate()
        }
    }

    private static func copy(_ string: String) -> UnsafeMutablePointer<CChar> {
        let characters = string.utf8CString
        let copy = UnsafeMutableBufferPointer<CChar>.allocate(capacity: characters.count)
        _ = copy.initialize(from: characters)
        // The buffer holds at least the terminating zero.
        guard let start = copy.baseAddress else { preconditionFailure("an allocated buffer has an address") }
        return start
    }
}
