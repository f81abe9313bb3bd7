import HTTPWire

/// What a parser makes of some input.
enum Verdict {
    struct Message: Equatable {
        var method: String
        var target: String
        /// Names in lower case, as h11 gives them.
        var headers: [[String]]
        var body: [UInt8]
        var rest: [UInt8]
    }

    enum Refusal: Equatable {
        case head(RequestError)
        case body(BodyDecodingError)
    }

    case accept(Message)
    case refuse(Refusal)
    case incomplete

    /// Ours.
    init(_ request: [UInt8]) {
        let head: RequestHead
        let end: Int
        do throws(RequestError) {
            var parser = RequestParser()
            let progress = try parser.parse(request.span)
            guard let complete = progress.head else {
                self = .incomplete
                return
            }
            (head, end) = (complete, progress.end)
        } catch {
            self = .refuse(.head(error))
            return
        }
        let outcome = decode([Array(request[end...])], framing: head.bodyFraming)
        if let error = outcome.error {
            self = .refuse(.body(error))
        } else if let rest = outcome.rest {
            self = .accept(Message(head, body: outcome.data, rest: rest))
        } else {
            self = .incomplete
        }
    }
}

extension Verdict.Message {
    fileprivate init(_ head: RequestHead, body: [UInt8], rest: [UInt8]) {
        let target = head.target
        self.init(
            method: head.method.name,
            target: (target.form == .absolute ? "http://" : "") + (target.authority ?? "") + target.rawPath
                + (target.rawQuery.map { "?" + $0 } ?? ""),
            headers: head.fields.pairs.map { [$0.name.lowercased(), $0.value] }, body: body, rest: rest)
    }
}
