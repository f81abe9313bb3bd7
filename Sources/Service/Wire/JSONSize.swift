/// How much there is in a JSON text, found without reading it.
///
/// Foundation keeps some 30 bytes for each value of a text before it hands out the first, ten times what `{},` takes.
/// So a text is looked through for what a value begins after, and one with too many is not handed to Foundation at all.
enum JSONSize {
    /// The most values, names of members included, in a text that is decoded: for each picture of a body that has as
    /// many as may be, several times the members that are read.
    static let maximumValues = 64 * ImageEntries.maximumCount

    case decodable
    case tooManyValues
    /// It has a zero byte, which JSON in UTF-8 can't have (RFC 8259 sections 7 and 8.1). Foundation takes UTF-16 too,
    /// in which values can't be counted like this.
    case notJSON

    /// Looks through a text. What is no JSON is counted somehow, and left to the decoder.
    init(of bytes: [UInt8]) {
        var valuesLeft = Self.maximumValues
        var isInString = false
        var isEscaped = false
        for byte in bytes {
            guard byte != 0 else {
                self = .notJSON
                return
            }
            if isEscaped {
                isEscaped = false
            } else if isInString {
                isEscaped = byte == UInt8(ascii: "\\")
                isInString = byte != UInt8(ascii: "\"")
            } else {
                switch byte {
                case UInt8(ascii: "\""):
                    isInString = true
                // Every value and every name but the first value comes right after one of these.
                case UInt8(ascii: "{"), UInt8(ascii: "["), UInt8(ascii: ","), UInt8(ascii: ":"):
                    valuesLeft -= 1
                    guard valuesLeft > 0 else {
                        self = .tooManyValues
                        return
                    }
                default:
                    break
                }
            }
        }
        self = .decodable
    }
}
