import HTTPWire

/// Bytes from the socket to the parser, the body and the read-ahead.
extension Connection {
    /// One event takes at most this many full buffers, so that a fast uploader doesn't keep the others waiting. It is
    /// told of again as long as there are bytes.
    private static let readsPerEvent = 8
    /// One `recv` takes at most this much where a head is due: what comes with it of a body was admitted by nobody.
    private static let headReceiveBytes = 16 * 1024
    /// So many requests of one connection are begun in one turn: a few kilobytes can hold hundreds that are answered at
    /// once.
    private static let requestsPerTurn = 16
    /// A piece of a body that is worth being handed on alone; smaller ones are put together.
    private static let largePieceBytes = 4 * 1024

    /// The socket has bytes, a FIN or an error: read until there is nothing left or nowhere to put it.
    func readable() {
        for _ in 0..<Self.readsPerEvent {
            guard !state.isClosed, !peerHasFinished, makesRoomForInput() else { break }
            switch Socket.receive(descriptor, into: &context.reactor.receiveBuffer, atMost: receiveLimit) {
            case .bytes(let count):
                context.observer.bytesReceived(count)
                let buffer = context.reactor.receiveBuffer
                consume(buffer.span.extracting(first: count))
            case .endOfStream:
                peerHasFinished = true
                clientLeft(.peerFinished)
            case .wouldBlock:
                return updateReading()
            case .broken:
                clientLeft(.peerReset)
            }
        }
        updateReading()
    }

    /// Most bytes that there is room for now.
    var receiveLimit: Int {
        switch state.receiving {
        case .head: Self.headReceiveBytes
        case .body: max(1, min(decoder?.remaining ?? .max, Reactor.receiveBufferBytes))
        case .complete: min(context.configuration.readAheadBytes - readAhead.count, Reactor.receiveBufferBytes)
        case .discarding, .ignoring: Reactor.receiveBufferBytes
        }
    }

    /// The body is of no use any more. The handler hears of it and answers: there is one owner of the response.
    func refuseBody(_ error: BodyError, closing outcome: RequestRecord.Outcome = .aborted) {
        exchange?.pipe?.fail(error)
        decoder = nil
        perform(state.handle(.bodyRefused), closing: outcome)
    }

    /// Goes on after a response: first with what came in early.
    func continueReading() {
        exchange?.pipe = nil
        guard !isConsuming else { return }
        let early = readAhead
        readAhead = []
        consume(early.span)
        updateReading()
    }

    private func consume(_ input: Span<UInt8>) {
        isConsuming = true
        defer {
            isConsuming = false
            hasInputInHand = false
        }
        let lastRequest = requestCount + Self.requestsPerTurn
        var position = 0
        while position < input.count, !state.isClosed {
            switch state.receiving {
            case .head:
                guard requestCount < lastRequest else {
                    return waitForTurn(keeping: input.extracting(position..<input.count))
                }
                position = takeHead(input, from: position)
            case .body, .discarding:
                position = takeBody(input, from: position)
            case .complete:
                readAhead.append(input.extracting(position..<input.count))
                return
            case .ignoring:
                deadlines.received(input.count - position, at: .now)
                return
            }
        }
        // A client that only half-closed may have had its last request taken from the read-ahead, unfinished.
        if peerHasFinished, !state.isClosed, [.head, .body, .discarding].contains(state.receiving) {
            clientLeft(.peerFinished)
        }
    }

    /// Goes on with the rest when the others have had their turn.
    private func waitForTurn(keeping rest: Span<UInt8>) {
        readAhead.append(rest)
        waitsForTurn = true
        context.reactor.run { [weak self] in
            self?.assumeIsolated { connection in
                connection.waitsForTurn = false
                guard !connection.state.isClosed else { return }
                connection.continueReading()
            }
        }
    }

    private func takeHead(_ input: Span<UInt8>, from start: Int) -> Int {
        if parser.isIdle {
            requestArrival = .now
        }
        do throws(RequestError) {
            let progress = try parser.parse(input, from: start)
            if let head = progress.head {
                hasInputInHand = progress.end < input.count
                begin(head)
            }
            return progress.end
        } catch {
            context.observer.inputRefused(slug: error.slug)
            refuse(Problem(error))
            return input.count
        }
    }

    private func takeBody(_ input: Span<UInt8>, from start: Int) -> Int {
        var position = start
        var joined: [UInt8] = []
        do throws(BodyDecodingError) {
            while let step = try decoder?.next(input, from: position) {
                switch step {
                case .data(let range):
                    position = range.upperBound
                    guard range.count >= Self.largePieceBytes else {
                        joined.append(input.extracting(range))
                        continue
                    }
                    takeContent(joined.span)
                    joined.removeAll(keepingCapacity: true)
                    takeContent(input.extracting(range))
                case .needsInput:
                    takeContent(joined.span)
                    return input.count
                case .complete(let end):
                    takeContent(joined.span)
                    decoder = nil
                    exchange?.pipe?.finish()
                    perform(state.handle(.bodyCompleted), closing: .completed)
                    return end
                }
            }
        } catch {
            takeContent(joined.span)
            context.observer.inputRefused(slug: error.slug)
            refuseBody(BodyError(error))
        }
        return input.count
    }

    /// Counts a piece of the body and hands it on.
    private func takeContent(_ content: Span<UInt8>) {
        guard !content.isEmpty else { return }
        _ = state.handle(.bodyReceived)
        exchange?.bodyBytesReceived += content.count
        deadlines.received(content.count, at: .now)
        // Before the handler, on another thread, can be done with it.
        if let account = exchange?.bodyAccount {
            context.bodyBudget.take(content.count, for: account)
        }
        exchange?.pipe?.append(content)
    }
}

extension [UInt8] {
    mutating func append(_ bytes: Span<UInt8>) {
        // The pointer lives only inside the closure; Array offers no bulk append from a Span yet.
        bytes.withUnsafeBufferPointer { append(contentsOf: $0) }
    }
}
