import COpenVINO

/// Owns one object that a function of OpenVINO's C API gave out, and frees it exactly once.
struct OpenVINOObject: ~Copyable {
    /// Valid as long as this value lives.
    let pointer: OpaquePointer

    private let free: @convention(c) (OpaquePointer?) -> Void

    /// Takes over what `make` stores.
    ///
    /// - Parameters:
    ///   - operation: what is attempted, for a person.
    ///   - free: the C API's function for this kind of object.
    ///   - make: calls the C API and returns its status.
    init(
        _ operation: String,
        free: @escaping @convention(c) (OpaquePointer?) -> Void,
        make: (inout OpaquePointer?) -> ov_status_e
    ) throws(InferenceError) {
        var made: OpaquePointer?
        try OpenVINOCall.check(make(&made), operation)
        guard let made else {
            throw .runtime(operation: operation, status: OK.rawValue, reason: "OpenVINO gave no object")
        }
        pointer = made
        self.free = free
    }

    deinit {
        free(pointer)
    }
}
