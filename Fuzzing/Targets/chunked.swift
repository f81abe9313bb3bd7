/// A chunked body and what follows it.
struct ChunkedOutcome: Equatable {
    var data: [UInt8] = []
    var rest: [UInt8]?
    var error: BodyDecodingError?

    init(_ pieces: [[UInt8]], limit: Int) {
        do throws(BodyDecodingError) {
            var decoder = try BodyDecoder(framing: .chunked, limit: limit)
            for piece in pieces {
                if rest != nil {
                    rest?.append(contentsOf: piece)
                    continue
                }
                var position = 0
                pieceLoop: while true {
                    switch try decoder.next(piece.span, from: position) {
                    case .needsInput:
                        break pieceLoop
                    case .data(let range):
                        precondition(range.lowerBound >= position && !range.isEmpty && range.upperBound <= piece.count)
                        data += piece[range]
                        position = range.upperBound
                    case .complete(let end):
                        rest = Array(piece[end...])
                        break pieceLoop
                    }
                }
            }
        } catch {
            self.error = error
        }
        precondition(data.count <= limit)
    }
}

@_cdecl("LLVMFuzzerTestOneInput")
func fuzz(_ data: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    guard let input = FuzzInput(data, count) else { return 0 }
    requireSame(input) { ChunkedOutcome($0, limit: input.choice & 1 == 0 ? 1 << 20 : Int(input.choice)) }
    return 0
}
