/// The parts of a form, their data put together.
struct MultipartOutcome: Equatable {
    var parts: [MultipartPart] = []
    var data: [[UInt8]] = []
    var isOpen = false
    var hasEnded = false
    var error: MultipartError?

    init(_ pieces: [[UInt8]], boundary: String, limits: MultipartLimits) {
        do throws(MultipartError) {
            var parser = try MultipartParser(boundary: boundary, limits: limits)
            for piece in pieces {
                for event in try parser.feed(piece[...]) {
                    take(event)
                }
            }
            try parser.finish()
            precondition(hasEnded)
        } catch {
            self.error = error
            // What a feed that throws had found before is lost, so how much was handed on depends on the cuts.
            parts = []
            data = []
            isOpen = false
            hasEnded = false
        }
        precondition(parts.count <= limits.maximumParts)
    }

    private mutating func take(_ event: MultipartEvent) {
        precondition(!hasEnded)
        switch event {
        case .partBegin(let part):
            precondition(!isOpen)
            isOpen = true
            parts.append(part)
            data.append([])
        case .partData(let bytes):
            precondition(isOpen && !bytes.isEmpty)
            data[data.count - 1] += bytes
        case .partEnd:
            precondition(isOpen)
            isOpen = false
        case .end:
            precondition(!isOpen)
            hasEnded = true
        }
    }
}

@_cdecl("LLVMFuzzerTestOneInput")
func fuzz(_ data: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    guard let input = FuzzInput(data, count) else { return 0 }
    let limits =
        input.choice & 1 == 0
        ? MultipartLimits() : MultipartLimits(maximumParts: 2, maximumHeaderBytes: 80, maximumPaddingBytes: 2)
    requireSame(input) {
        MultipartOutcome($0, boundary: input.choice & 2 == 0 ? "X" : "-boundary-", limits: limits)
    }
    return 0
}
