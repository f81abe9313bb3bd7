/// Which codings of a response a client takes (RFC 9110 section 12.5.3).
public struct AcceptEncoding: Sendable, Equatable {
    /// Whether gzip is accepted, and wanted at least as much as no coding where the client weighs both.
    public let prefersGzip: Bool
    /// Whether the client refuses an answer without coding.
    public let refusesIdentity: Bool

    /// Reads the field. Without one nothing is said, so nothing is preferred. An element with a malformed weight or
    /// parameter is passed over; of one that is named twice the first counts.
    public init(_ fields: HTTPFields) {
        var weights: [String: Int] = [:]
        for element in fields.listElements(.acceptEncoding) {
            guard let (coding, weight) = Self.weighted(element), weights[coding] == nil else { continue }
            weights[coding] = weight
        }
        let gzip = weights["gzip"] ?? weights["x-gzip"] ?? weights["*"] ?? 0
        // The asterisk stands for identity only in order to exclude it; identity is acceptable by default.
        let identity = weights["identity"]
        prefersGzip = gzip > 0 && gzip >= identity ?? 0
        refusesIdentity = (identity ?? weights["*"]) == 0
    }

    /// `gzip;q=0.5`: the coding in lower case and its weight in thousandths.
    private static func weighted(_ element: String) -> (coding: String, weight: Int)? {
        var rest = Array(element.utf8)[...]
        guard let coding = HeaderParameters.takeToken(&rest),
            let parameters = HeaderParameters.parse(rest, backslash: .escapesAnything)
        else { return nil }
        guard let parameter = parameters.first else { return (coding.lowercased(), 1000) }
        guard parameters.count == 1, parameter.name == "q", let weight = weight(parameter.value) else { return nil }
        return (coding.lowercased(), weight)
    }

    /// `qvalue` (RFC 9110 section 12.4.2): 0 to 1 with at most three digits behind the point.
    private static func weight(_ text: String) -> Int? {
        let digits = Array(text.utf8)
        guard (1...5).contains(digits.count), digits.count == 1 || digits[1] == ASCII.dot else { return nil }
        let fraction = digits.dropFirst(2)
        guard fraction.allSatisfy(ASCII.isDigit) else { return nil }
        let thousandths = (0..<3).reduce(0) { value, place in
            value * 10 + (place < fraction.count ? Int(fraction[fraction.startIndex + place] - ASCII.zero) : 0)
        }
        switch digits[0] {
        case UInt8(ascii: "0"): return thousandths
        case UInt8(ascii: "1"): return thousandths == 0 ? 1000 : nil
        default: return nil
        }
    }
}
