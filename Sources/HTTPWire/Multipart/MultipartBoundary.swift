/// The rules for a boundary itself (RFC 2046, section 5.1.1).
enum MultipartBoundary {
    static let maximumLength = 70

    static func isValid(_ boundary: String) -> Bool {
        (1...maximumLength).contains(boundary.utf8.count) && boundary.utf8.allSatisfy(isAllowed)
            && boundary.utf8.last != UInt8(ascii: " ")
    }

    private static func isAllowed(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default:
            "'()+_,-./:=? ".utf8.contains(byte)
        }
    }
}
