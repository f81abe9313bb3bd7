import HTTPWire
import Scheduling

/// Responses to the socket.
extension Connection {
    /// Starts the open request's response. All of it, unless it is a stream, which has to follow.
    func respond(_ response: Response) {
        guard let exchange, state.responding == .awaited else { return }
        let content = content(of: response, for: exchange.requestID)
        let framing = ResponseFraming(
            status: response.status, contentLength: content?.count, method: exchange.head?.method,
            version: exchange.head?.version ?? .http11)
        _ = state.handle(
            .responseStarted(allowsPersistence: framing.allowsPersistence, restIsDiscardable: restIsDiscardable))
        queue(head(response, framing, exchange))
        self.exchange?.status = response.status
        if let content {
            if framing.sendsContent {
                queue(content)
            }
            self.exchange?.responseIsQueued = true
        } else if !framing.sendsContent {
            self.exchange?.responseIsQueued = true
        }
        flush()
    }

    /// Sends what `content` writes, letting it go on only while the client takes it.
    func send(_ content: @escaping @Sendable (ResponseWriter) async throws -> Void, _ number: Int) async {
        guard let exchange, exchange.number == number, !exchange.responseIsQueued else { return }
        let isChunked = exchange.head?.version == .http11
        do {
            let writer = ResponseWriter { [weak self] bytes in
                await self?.write(bytes, isChunked: isChunked, number) ?? false
            }
            try await offTheReactor { try await content(writer) }
        } catch {
            guard self.exchange?.number == number else { return }
            return perform(state.handle(.responseAbandoned), closing: .aborted)
        }
        guard self.exchange?.number == number else { return }
        if isChunked {
            queue(ResponseEncoder.lastChunk)
        }
        self.exchange?.responseIsQueued = true
        flush()
    }

    /// Hands the kernel what it takes; ends the response when all of it is gone.
    func flush() {
        guard !state.isClosed else { return }
        let result = output.flush(to: descriptor)
        if result.sent > 0 {
            context.observer.bytesSent(result.sent)
        }
        guard !result.isBroken else {
            return clientLeft(.peerReset)
        }
        updateWriting()
        updateOutputDeadline(sent: result.sent)
        if output.count < context.configuration.outputHighWaterBytes {
            resumeDrainWaiters()
        }
        guard output.isEmpty, exchange?.responseIsQueued == true else { return }
        let actions = state.handle(.responseWritten(hasUnreadInput: hasInputInHand || !readAhead.isEmpty))
        finishExchange(.completed)
        perform(actions, closing: .completed)
    }

    func resumeDrainWaiters() {
        let waiters = drainWaiters
        drainWaiters = []
        waiters.forEach { $0.resume() }
    }

    /// Queues one chunk and waits until there is room for another.
    /// - Returns: Whether the stream is still wanted.
    private func write(_ chunk: [UInt8], isChunked: Bool, _ number: Int) async -> Bool {
        guard exchange?.number == number else { return false }
        if isChunked {
            var framed: [UInt8] = []
            framed.reserveCapacity(chunk.count + 32)
            ResponseEncoder.appendChunk(chunk, to: &framed)
            queue(framed)
        } else {
            queue(chunk)
        }
        flush()
        if exchange?.number == number, output.count >= context.configuration.outputHighWaterBytes {
            // Resumed by the flush that makes room, by the close, or by the writing task's own cancellation.
            let room = ResumeOnce<Void>()
            drainWaiters.append(room)
            try? await withTaskCancellationHandler {
                try await room.value()
            } onCancel: {
                room.resume()
            }
        }
        return exchange?.number == number && !Task.isCancelled
    }

    private func queue(_ bytes: [UInt8]) {
        output.append(bytes)
        exchange?.responseBytes += bytes.count
    }

    private var restIsDiscardable: Bool {
        guard let remaining = decoder?.remaining else { return false }
        return remaining <= context.configuration.discardableBodyBytes
    }

    /// The content where it is known beforehand; nil for a stream.
    private func content(of response: Response, for requestID: String) -> [UInt8]? {
        switch response.body {
        case .none: []
        case .bytes(let bytes): bytes
        case .problem(let problem):
            problem.json(typePrefix: context.configuration.problemTypePrefix, instance: requestID)
        case .stream, .written: nil
        }
    }

    private func head(_ response: Response, _ framing: ResponseFraming, _ exchange: Exchange) -> [UInt8] {
        var fields = response.fields
        fields.set(.requestID, exchange.requestID)
        context.configuration.cors?.allow(exchange.head, toRead: &fields)
        if let name = context.configuration.serverName {
            fields.set(.server, name)
        }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(512)
        ResponseEncoder.appendHead(
            status: response.status, fields: fields, framing: framing, version: exchange.head?.version ?? .http11,
            persists: state.persists, date: context.dates.current(), to: &bytes)
        return bytes
    }
}

/// Runs a handler's code on the cooperative pool, where it belongs.
@concurrent
private func offTheReactor(_ body: @Sendable () async throws -> Void) async throws {
    try await body()
}
