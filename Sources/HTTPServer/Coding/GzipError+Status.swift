import HTTPWire

extension GzipError {
    /// The status that answers it.
    public var status: HTTPStatus {
        self == .outOfMemory ? .serviceUnavailable : .badRequest
    }
}
