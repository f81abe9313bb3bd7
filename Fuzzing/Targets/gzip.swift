/// What gzip was inflated to.
struct GzipOutcome: Equatable {
    /// Most bytes of content that are looked at: a bomb goes on for long, and no further differently.
    private static let contentLimit = 1 << 12

    var content: [UInt8] = []
    var error: GzipError?
    var isLong: Bool { content.count >= Self.contentLimit }

    init(_ pieces: [[UInt8]], inputLimit: Int, outputLimit: Int) {
        do throws(GzipError) {
            var decoder = GzipDecoder(inputLimit: inputLimit, outputLimit: outputLimit)
            for piece in pieces {
                var position = 0
                var content: [UInt8]
                repeat {
                    let before = position
                    content = try decoder.next(piece, from: &position)
                    precondition(content.count <= outputLimit && position >= before && position <= piece.count)
                    precondition(position - before <= inputLimit)
                    // Every step gets on.
                    precondition(!content.isEmpty || position > before || position == piece.count)
                    self.content += content
                    guard !isLong else { return }
                } while !content.isEmpty || position < piece.count
            }
            try decoder.finish()
        } catch {
            self.error = error
        }
    }

    /// How much of the content comes out before a fault depends on the cuts; what it is, and the fault, doesn't.
    static func == (left: GzipOutcome, right: GzipOutcome) -> Bool {
        guard zip(left.content, right.content).allSatisfy(==) else { return false }
        if left.isLong || right.isLong { return true }
        return left.error == right.error && (left.error != nil || left.content.count == right.content.count)
    }
}

@_cdecl("LLVMFuzzerTestOneInput")
func fuzz(_ data: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    guard let input = FuzzInput(data, count) else { return 0 }
    let outputLimit = [1, 7, 256, 4096][Int(input.choice & 3)]
    let inputLimit = [1, 5, 256, 4096][Int(input.choice >> 2 & 3)]
    requireSame(input) { GzipOutcome($0, inputLimit: inputLimit, outputLimit: outputLimit) }
    return 0
}
