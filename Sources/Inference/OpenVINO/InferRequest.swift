import COpenVINO

/// One inference request with its buffers: picture in, vector out, one inference at a time.
///
/// `@unchecked Sendable`: whoever took the request out of its pool uses it alone and hands it on only after ``wait()``
/// has returned, so nobody touches the buffers while OpenVINO may. The exception is ``cancel()``, which OpenVINO allows
/// from any thread. It is freed only when no inference is running, so no callback comes after that.
final class InferRequest: @unchecked Sendable {
    private let request: OpenVINOObject

    /// The tensors that the request made for itself; they keep the memory below alive.
    private let inputTensor: OpenVINOObject
    private let outputTensor: OpenVINOObject
    private let pixels: UnsafeMutableRawBufferPointer
    private let vector: UnsafeBufferPointer<Float>

    /// OpenVINO keeps the pointer to this structure, not the structure: it has to live as long as the request.
    private let callback: UnsafeMutablePointer<ov_callback_t>

    /// Takes over a request of a network that takes one picture as bytes and has the card's output.
    init(_ request: consuming OpenVINOObject, card: ModelCard) throws(InferenceError) {
        let requestPointer = request.pointer
        let inputTensor = try OpenVINOObject("reach the request's input", free: ov_tensor_free) { tensor in
            ov_infer_request_get_input_tensor(requestPointer, &tensor)
        }
        let outputTensor = try OpenVINOObject("reach the request's output", free: ov_tensor_free) { tensor in
            ov_infer_request_get_tensor(requestPointer, card.output.name, &tensor)
        }
        pixels = try Self.memory(of: inputTensor)
        vector = UnsafeBufferPointer(try Self.memory(of: outputTensor).bindMemory(to: Float.self))
        guard vector.count == card.output.dimensions else {
            throw .outputSize(expected: card.output.dimensions, found: vector.count)
        }
        callback = .allocate(capacity: 1)
        callback.initialize(to: ov_callback_t(callback_func: { _ in }, args: nil))
        self.inputTensor = inputTensor
        self.outputTensor = outputTensor
        self.request = request
    }

    deinit {
        callback.deallocate()
    }

    /// Calls `function` with `context` at the end of every inference, on a thread of OpenVINO's that must not be held
    /// up, and before ``wait()`` returns.
    func setCallback(
        _ function: @escaping @convention(c) (UnsafeMutableRawPointer?) -> Void, context: UnsafeMutableRawPointer
    ) throws(InferenceError) {
        callback.pointee = ov_callback_t(callback_func: function, args: context)
        try OpenVINOCall.check(ov_infer_request_set_callback(request.pointer, callback), "set a request's callback")
    }

    /// Copies a picture into the request's own memory: 10 µs for 224 x 224.
    func write(_ picture: [UInt8]) {
        precondition(picture.count == pixels.count, "checked by the engine")
        pixels.copyBytes(from: picture)
    }

    /// Starts the inference of what was written. Returns at once.
    func start() throws(InferenceError) {
        try OpenVINOCall.check(ov_infer_request_start_async(request.pointer), "start an inference")
    }

    /// Asks a running inference to end at the next layer. Returns at once; nothing happens if none is running.
    func cancel() {
        // The only failure is a null pointer.
        _ = ov_infer_request_cancel(request.pointer)
    }

    /// Blocks until the inference has ended and its callback has returned.
    ///
    /// - Throws: `CancellationError` if it was cancelled, ``InferenceError`` if it failed.
    func wait() throws {
        let status = ov_infer_request_wait(request.pointer)
        guard status != INFER_CANCELLED else { throw CancellationError() }
        try OpenVINOCall.check(status, "infer")
    }

    /// The vector of the inference that ended.
    ///
    /// - Throws: ``InferenceError/notFinite(index:)`` for NaN or infinity, which no client could use or parse.
    func readVector() throws(InferenceError) -> [Float] {
        try Self.finiteNumbers(of: vector)
    }

    static func finiteNumbers(of vector: UnsafeBufferPointer<Float>) throws(InferenceError) -> [Float] {
        if let index = vector.firstIndex(where: { !$0.isFinite }) {
            throw .notFinite(index: index)
        }
        return Array(vector)
    }

    private static func memory(
        of tensor: borrowing OpenVINOObject
    ) throws(InferenceError) -> UnsafeMutableRawBufferPointer {
        var byteCount = 0
        try OpenVINOCall.check(ov_tensor_get_byte_size(tensor.pointer, &byteCount), "measure a tensor")
        var start: UnsafeMutableRawPointer?
        try OpenVINOCall.check(ov_tensor_data(tensor.pointer, &start), "reach a tensor's memory")
        return UnsafeMutableRawBufferPointer(start: start, count: byteCount)
    }
}
