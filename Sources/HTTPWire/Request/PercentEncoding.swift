/// Percent-decoding of a request target's parts (RFC 3986 section 2.1).
enum PercentEncoding {
    /// The text that the bytes stand for; nil when an escape is broken, the result isn't UTF-8 (overlong forms
    /// included), or it holds a NUL.
    static func decode(_ bytes: some Collection<UInt8>, plusIsSpace: Bool = false) -> String? {
        var decoded: [UInt8] = []
        decoded.reserveCapacity(bytes.count)
        var iterator = bytes.makeIterator()
        while let byte = iterator.next() {
            switch byte {
            case ASCII.percent:
                guard let high = iterator.next().flatMap(ASCII.hexadecimalValue),
                    let low = iterator.next().flatMap(ASCII.hexadecimalValue),
                    high | low != 0
                else { return nil }
                decoded.append(high << 4 | low)
            case ASCII.plus where plusIsSpace:
                decoded.append(ASCII.space)
            default:
                decoded.append(byte)
            }
        }
        return String(validating: decoded, as: UTF8.self)
    }
}
