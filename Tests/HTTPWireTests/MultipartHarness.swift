import HTTPWire

/// A part with all of its data.
struct WholePart: Equatable {
    let head: MultipartPart
    let data: [UInt8]

    init(_ name: String, filename: String? = nil, type: String? = nil, _ data: String = "") {
        self.init(MultipartPart(name: name, filename: filename, contentType: type), Array(data.utf8))
    }

    init(_ head: MultipartPart, _ data: [UInt8]) {
        self.head = head
        self.data = data
    }
}

/// Feeds bodies in pieces and puts the parts together again.
struct MultipartHarness {
    enum Failure: Error {
        case eventsOutOfOrder
        case emptyData
    }

    var boundary = "XX"
    var limits = MultipartLimits()

    func parts(_ body: String) throws -> [WholePart] {
        try parts(pieces: [Array(body.utf8)[...]])
    }

    /// Every piece is a slice of its own, and `finish()` comes last.
    func parts(pieces: [ArraySlice<UInt8>]) throws -> [WholePart] {
        var parser = try MultipartParser(boundary: boundary, limits: limits)
        var parts: [WholePart] = []
        var open: (head: MultipartPart, data: [UInt8])?
        var ended = false
        for piece in pieces {
            for event in try parser.feed(piece) {
                switch event {
                case .partBegin(let head) where open == nil && !ended:
                    open = (head, [])
                case .partData(let data) where open != nil:
                    guard !data.isEmpty else { throw Failure.emptyData }
                    open?.data += data
                case .partEnd:
                    guard let whole = open else { throw Failure.eventsOutOfOrder }
                    parts.append(WholePart(whole.head, whole.data))
                    open = nil
                case .end where open == nil && !ended:
                    ended = true
                default:
                    throw Failure.eventsOutOfOrder
                }
            }
        }
        try parser.finish()
        guard ended else { throw Failure.eventsOutOfOrder }
        return parts
    }

    func error(_ body: String) -> MultipartError? {
        error(pieces: [Array(body.utf8)[...]])
    }

    func error(pieces: [ArraySlice<UInt8>]) -> MultipartError? {
        do {
            _ = try parts(pieces: pieces)
            return nil
        } catch {
            return error as? MultipartError
        }
    }
}
