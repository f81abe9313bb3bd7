import HTTPWire

/// Where ours differs from h11, and why it is right.
struct DifferenceRule: Sendable {
    let reason: String
    let applies: @Sendable (_ request: [UInt8], _ ours: Verdict, _ theirs: H11.Answer) -> Bool

    /// We refuse for this reason what h11 accepts or goes on reading.
    private static func stricter(_ reason: String, _ errors: Verdict.Refusal...) -> DifferenceRule {
        DifferenceRule(reason: reason) { _, ours, theirs in
            guard case .refuse(let error) = ours else { return false }
            return errors.contains(error) && theirs.verdict != "refuse"
        }
    }

    static let all: [DifferenceRule] = [
        stricter(
            "A line that ends with LF alone, or a CR alone, is where parsers in a chain part ways. Recognising a bare LF is"
                + " a MAY, a bare CR has to be invalid or a space (RFC 9112 section 2.2).", .head(.bareLineEnding)),
        stricter(
            "Control characters are no part of a field's value; a recipient rejects them or replaces them by a space"
                + " (RFC 9110 section 5.5).", .head(.controlCharacter)),
        stricter(
            "obs-fold: a server rejects it with 400 or unfolds it (RFC 9112 section 5.2).", .head(.foldedFieldLine)),
        stricter(
            "The target has a grammar, which h11 leaves to its caller: a form that fits the method, whole escapes"
                + " (RFC 9112 section 3.2, RFC 3986 section 2.1).", .head(.invalidTarget)),
        stricter(
            "A major version that isn't spoken gets 505 (RFC 9110 section 15.6.6).", .head(.unsupportedVersion)),
        stricter("An invalid Host gets 400 (RFC 9112 section 3.2).", .head(.invalidHost)),
        DifferenceRule(
            reason: "A higher minor version of HTTP/1 is read as 1.1 (RFC 9110 section 2.5), which needs a Host field"
                + " (RFC 9112 section 3.2)."
        ) { request, ours, _ in
            guard case .refuse(.head(.missingHost)) = ours else { return false }
            return (2...9).contains { minor in contains(request, " HTTP/1.\(minor)\r\n") }
        },
        DifferenceRule(
            reason: "White space before an extension's semicolon has to be read over (RFC 9112 section 7.1.1, RFC 9110"
                + " section 5.6.3)."
        ) { request, ours, theirs in
            if case .refuse = ours { return false }
            guard let reason = theirs.reason, reason.hasPrefix("illegal chunk header") else { return false }
            return contains(request, " ;") || contains(request, "\t;")
        },
        stricter(
            "Content-Length as a list or repeated may be merged or rejected (RFC 9112 section 6.3, item 5); 19 digits and"
                + " more overflow somewhere.", .head(.invalidContentLength)),
        stricter(
            "Transfer-Encoding beside Content-Length may be rejected, and is how requests are smuggled (RFC 9112 section"
                + " 6.1).", .head(.conflictingFraming)),
        stricter(
            "Transfer-Encoding in HTTP/1.0 is faulty framing (RFC 9112 section 6.1).",
            .head(.unsupportedTransferEncoding)
        ),
        stricter(
            "An expectation that can't be met may be answered with 417 (RFC 9110 section 10.1.1).",
            .head(.unknownExpectation)),
        DifferenceRule(
            reason: "A faulty line is refused as soon as it is read, where h11 waits for the end of the head."
        ) { _, ours, theirs in
            guard case .refuse(.head(let error)) = ours, theirs.verdict == "incomplete" else { return false }
            return [.malformedRequestLine, .malformedFieldLine].contains(error)
        },
        stricter(
            "A chunk's size is hexadecimal digits alone; white space is for before an extension's semicolon (RFC 9112"
                + " section 7.1). A size of more than 15 digits has to be refused before it overflows.",
            .body(.invalidChunkSize)),
        stricter(
            "A chunk and its lines end with CRLF and hold no control characters (RFC 9112 section 7.1).",
            .body(.malformedChunk)),
        stricter(
            "A trailer line is a field line, with CRLF (RFC 9112 section 7.1.2).", .body(.malformedTrailer)),
        DifferenceRule(
            reason: "At least one empty line before a request line has to be ignored (RFC 9112 section 2.2)."
        ) { request, ours, theirs in
            if case .refuse = ours { return false }
            return request.starts(with: [13]) && theirs.verdict == "refuse"
        },
    ]
    private static func contains(_ bytes: [UInt8], _ text: String) -> Bool {
        let wanted = Array(text.utf8)
        return bytes.indices.contains { bytes[$0...].starts(with: wanted) }
    }
}
