import HTTPWire

/// Ways to cut the same input: whole, in two at each position, and into single bytes. What a parser makes of it must
/// not depend on the way.
func everySplit(of input: [UInt8]) -> [[[UInt8]]] {
    var splits = [[input], input.map { [$0] }]
    for position in input.indices.dropFirst() {
        splits.append([Array(input[..<position]), Array(input[position...])])
    }
    return splits
}

/// What a parser made of a whole input.
struct ParseOutcome: Equatable {
    var heads: [RequestHead] = []
    var error: RequestError?
}

/// Feeds the pieces to one parser, as a connection would that never gets a body.
func parse(_ pieces: [[UInt8]], limits: RequestLimits = RequestLimits()) -> ParseOutcome {
    var parser = RequestParser(limits: limits)
    var outcome = ParseOutcome()
    do throws(RequestError) {
        for piece in pieces {
            var position = 0
            while position < piece.count {
                let progress = try parser.parse(piece.span, from: position)
                position = progress.end
                if let head = progress.head {
                    outcome.heads.append(head)
                }
            }
        }
    } catch {
        outcome.error = error
    }
    return outcome
}

/// What a decoder made of a whole input.
struct DecodeOutcome: Equatable {
    var data: [UInt8] = []
    var error: BodyDecodingError?
    /// What follows the body; nil while it isn't complete.
    var rest: [UInt8]?
}

/// Feeds the pieces to one decoder.
func decode(_ pieces: [[UInt8]], framing: BodyFraming = .chunked, limit: Int = 1 << 20) -> DecodeOutcome {
    var outcome = DecodeOutcome()
    do throws(BodyDecodingError) {
        var decoder = try BodyDecoder(framing: framing, limit: limit)
        for piece in pieces {
            guard outcome.rest == nil else {
                outcome.rest?.append(contentsOf: piece)
                continue
            }
            var position = 0
            pieceLoop: while true {
                switch try decoder.next(piece.span, from: position) {
                case .needsInput:
                    break pieceLoop
                case .data(let range):
                    outcome.data.append(contentsOf: piece[range])
                    position = range.upperBound
                case .complete(let end):
                    outcome.rest = Array(piece[end...])
                    break pieceLoop
                }
            }
        }
    } catch {
        outcome.error = error
    }
    return outcome
}

func bytes(_ text: String) -> [UInt8] {
    Array(text.utf8)
}
