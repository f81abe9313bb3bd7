/// Request heads and bodies, one after the other, as on a connection.
struct RequestOutcome: Equatable {
    var heads: [RequestHead] = []
    var bodies: [[UInt8]] = []
    var headError: RequestError?
    var bodyError: BodyDecodingError?
    var isIdle = false

    init(_ pieces: [[UInt8]], limits: RequestLimits, bodyLimit: Int) {
        var parser = RequestParser(limits: limits)
        var decoder: BodyDecoder?
        for piece in pieces {
            var position = 0
            pieceLoop: while true {
                do {
                    guard var body = decoder else {
                        guard position < piece.count else { break pieceLoop }
                        let progress = try parser.parse(piece.span, from: position)
                        precondition(progress.end > position && progress.end <= piece.count)
                        position = progress.end
                        if let head = progress.head {
                            heads.append(head)
                            bodies.append([])
                            decoder = try BodyDecoder(framing: head.bodyFraming, limit: bodyLimit)
                        }
                        continue
                    }
                    switch try body.next(piece.span, from: position) {
                    case .needsInput:
                        decoder = body
                        break pieceLoop
                    case .data(let range):
                        precondition(!range.isEmpty && range.upperBound <= piece.count)
                        bodies[bodies.count - 1] += piece[range]
                        position = range.upperBound
                        decoder = body
                    case .complete(let end):
                        position = end
                        decoder = nil
                    }
                } catch let error as RequestError {
                    headError = error
                    return
                } catch {
                    bodyError = error as? BodyDecodingError
                    return
                }
            }
        }
        isIdle = parser.isIdle
        precondition(bodies.allSatisfy { $0.count <= bodyLimit })
    }
}

@_cdecl("LLVMFuzzerTestOneInput")
func fuzz(_ data: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    guard let input = FuzzInput(data, count) else { return 0 }
    // Small limits are met more often.
    let limits =
        input.choice & 1 == 0
        ? RequestLimits() : RequestLimits(requestLineBytes: 24, fieldSectionBytes: 64, fieldCount: 3)
    requireSame(input) { RequestOutcome($0, limits: limits, bodyLimit: input.choice & 2 == 0 ? 4096 : 8) }
    return 0
}
