import Threads

/// Carries a body's bytes from the reactor to the handler. Bytes that come before anybody reads wait here, none is
/// lost; the reactor stops reading the socket while the pipe is full.
///
/// One writer (the reactor) and one reader (the handler). The lock is held for appending and for swapping buffers only;
/// the continuation and the demand callback are called outside it.
final class BodyPipe: Sendable {
    private enum End {
        case complete
        case failed(BodyError)
    }

    private struct State {
        var buffer: [UInt8] = []
        var end: End?
        var waiter: CheckedContinuation<[UInt8]?, any Error>?
        /// The reader wants everything at once, up to that many bytes.
        var collectLimit: Int?
        /// The reader has asked at least once.
        var isWanted = false
        /// The reactor was told to pause, and waits to hear that there is room.
        var isPaused = false
        /// The size of the chunk that the reader got last, and may still hold.
        var handedBytes = 0
    }

    /// One `recv` of this many bytes means that the client sends faster than is read: more will follow before the
    /// reader comes, and growing the buffer step by step would copy all of it again.
    private static let fastPieceBytes = 64 * 1024
    /// For how many such pieces room is made, if nobody knows how many will come.
    private static let piecesReserved = 4

    /// Whether the client may wait for the handler.
    let clientTime: ClientTime
    private let state = Locked(State())
    private let highWaterBytes: Int
    /// All that is to come, where the reader will likely want it in one piece: room for it is made once, before the
    /// first byte of many, since what had to move afterwards would cost new pages as well. Pages are used as bytes
    /// come.
    private let expectedBytes: Int?
    /// Tells the reactor that the reader wants bytes: for the first time, or again after a pause.
    private let onDemand: @Sendable () -> Void
    /// Tells how many bytes the reader is done with.
    private let onRelease: @Sendable (Int) -> Void

    /// Makes an empty pipe.
    /// - Parameters:
    ///   - highWaterBytes: From this many waiting bytes on the pipe counts as full.
    ///   - expectedBytes: The size of a body that may be collected; nil if it isn't known, or read in pieces.
    ///   - onDemand: Called on the reader's thread, outside the lock.
    ///   - onRelease: Called as `onDemand` is: the reader asks for the next chunk, and so is done with the last one.
    ///     Never called for what was collected.
    ///   - onClientTime: Called on the handler's thread: `clientTime.isPaused` has changed.
    init(
        highWaterBytes: Int, expectedBytes: Int? = nil, onDemand: @escaping @Sendable () -> Void,
        onRelease: @escaping @Sendable (Int) -> Void = { _ in },
        onClientTime: @escaping @Sendable () -> Void = {}
    ) {
        self.highWaterBytes = highWaterBytes
        self.expectedBytes = expectedBytes
        self.onDemand = onDemand
        self.onRelease = onRelease
        clientTime = ClientTime(onChange: onClientTime)
    }

    // MARK: The reactor's side

    /// Adds bytes; never refuses, the writer asks `pausesReading` afterwards. A reader that waits hears of them from
    /// `deliver`.
    func append(_ bytes: Span<UInt8>) {
        state.withLock { state in
            guard state.end == nil else { return }
            let byteCount = state.buffer.count + bytes.count
            if bytes.count >= Self.fastPieceBytes, byteCount > state.buffer.capacity {
                state.buffer.reserveCapacity(room(for: byteCount, piece: bytes.count, state))
            }
            bytes.withUnsafeBufferPointer { state.buffer.append(contentsOf: $0) }
        }
    }

    /// For how many bytes to make room when a piece doesn't fit behind the others.
    private func room(for byteCount: Int, piece: Int, _ state: State) -> Int {
        // Who has begun to read in pieces has no use for room for all of it.
        let isReadInPieces = state.isWanted && state.collectLimit == nil
        if let expectedBytes, !isReadInPieces { return expectedBytes }
        // By factors, or the bytes would be copied again and again.
        return max(byteCount + (Self.piecesReserved - 1) * piece, 2 * byteCount)
    }

    /// Hands what has gathered to the reader, if one waits for it. Apart from `append`, so that a reader is woken once
    /// for all that the socket had, not once for each `recv`.
    func deliver() {
        let delivery = state.withLock { state -> (CheckedContinuation<[UInt8]?, any Error>, [UInt8])? in
            guard state.end == nil, state.collectLimit == nil ? !state.buffer.isEmpty : overflows(state),
                let waiter = state.waiter
            else { return nil }
            state.waiter = nil
            return (waiter, takeBuffer(&state))
        }
        if let (waiter, bytes) = delivery {
            waiter.resume(returning: bytes)
        }
    }

    /// For how many bytes there is room, for tests.
    var capacity: Int { state.withLock { $0.buffer.capacity } }

    /// Whether the reactor has to stop reading; it hears through `onDemand` when there is room again.
    func pausesReading() -> Bool {
        state.withLock { state in
            state.isPaused =
                state.end == nil && state.collectLimit == nil && state.buffer.count >= highWaterBytes
            return state.isPaused
        }
    }

    /// The last byte has been appended.
    func finish() {
        end(.complete)
    }

    /// No more bytes will come. Bytes that wait are thrown away, for they are of no use without the rest.
    func fail(_ error: BodyError) {
        end(.failed(error))
    }

    private func end(_ end: End) {
        let delivery = state.withLock {
            state -> (CheckedContinuation<[UInt8]?, any Error>, Result<[UInt8]?, any Error>)? in
            guard state.end == nil else { return nil }
            state.end = end
            if case .failed = end {
                state.buffer = []
            }
            guard let waiter = state.waiter else { return nil }
            state.waiter = nil
            return (waiter, endResult(&state))
        }
        if let (waiter, result) = delivery {
            waiter.resume(with: result)
        }
    }

    // MARK: The handler's side

    /// The bytes that wait, or the next ones to come; nil at the end.
    /// - Throws: `CancellationError` when the task is cancelled, otherwise `BodyError`.
    func next() async throws -> [UInt8]? {
        try await take(collectLimit: nil)
    }

    /// Lets the whole body gather, and returns what there is at the end, or as soon as it is more than `limit`.
    /// - Parameter expected: The size to make room for at once; nil when unknown.
    /// - Throws: `CancellationError` when the task is cancelled, otherwise `BodyError`.
    func collect(upTo limit: Int, expected: Int?) async throws -> [UInt8] {
        if let expected, expected <= limit {
            state.withLock { $0.buffer.reserveCapacity(expected) }
        }
        return try await take(collectLimit: limit) ?? []
    }

    private func take(collectLimit: Int?) async throws -> [UInt8]? {
        try Task.checkCancellation()
        do {
            return try await waitedFor(collectLimit: collectLimit)
        } catch  where Task.isCancelled {
            // A client that leaves fails the body and cancels the task; the reader may find the failed body first.
            throw CancellationError()
        }
    }

    private func waitedFor(collectLimit: Int?) async throws -> [UInt8]? {
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let (released, step) = state.withLock { state in
                    (takeHandedBytes(&state), begin(&state, continuation, collectLimit))
                }
                if released > 0 {
                    onRelease(released)
                }
                if step.needsDemand {
                    onDemand()
                }
                if let result = step.result {
                    continuation.resume(with: result)
                } else if Task.isCancelled {
                    // The cancellation handler may have run before the continuation was there to be found.
                    cancelWaiter()
                }
            }
        } onCancel: {
            cancelWaiter()
        }
    }

    private func begin(
        _ state: inout State, _ continuation: CheckedContinuation<[UInt8]?, any Error>, _ collectLimit: Int?
    ) -> (result: Result<[UInt8]?, any Error>?, needsDemand: Bool) {
        guard state.waiter == nil else { return (.failure(BodyError.alreadyConsumed), false) }
        state.collectLimit = collectLimit
        let needsDemand = state.end == nil && (!state.isWanted || state.isPaused)
        state.isWanted = true
        state.isPaused = false
        if state.end != nil {
            return (endResult(&state), false)
        }
        if collectLimit == nil ? !state.buffer.isEmpty : overflows(state) {
            return (.success(takeBuffer(&state)), needsDemand)
        }
        state.waiter = continuation
        return (nil, needsDemand)
    }

    private func cancelWaiter() {
        let waiter = state.withLock { state in
            defer {
                state.waiter = nil
                state.collectLimit = nil
            }
            return state.waiter
        }
        waiter?.resume(throwing: CancellationError())
    }

    private func overflows(_ state: State) -> Bool {
        state.collectLimit.map { state.buffer.count > $0 } ?? false
    }

    private func takeHandedBytes(_ state: inout State) -> Int {
        defer { state.handedBytes = 0 }
        return state.handedBytes
    }

    /// Hands over what has gathered. Nobody collects from here on, so that the high-water mark counts again.
    private func takeBuffer(_ state: inout State) -> [UInt8] {
        defer {
            if state.collectLimit == nil {
                state.handedBytes += state.buffer.count
            }
            state.buffer = []
            state.collectLimit = nil
        }
        return state.buffer
    }

    /// What a reader gets once the end is known: first the bytes that still wait.
    private func endResult(_ state: inout State) -> Result<[UInt8]?, any Error> {
        if case .failed(let error) = state.end { return .failure(error) }
        return .success(state.buffer.isEmpty ? nil : takeBuffer(&state))
    }
}
