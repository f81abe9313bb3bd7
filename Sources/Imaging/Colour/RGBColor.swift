/// A colour in sRGB, eight bits a channel.
public struct RGBColor: Hashable, Sendable {
    /// Red, 0…255.
    public let red: UInt8
    /// Green, 0…255.
    public let green: UInt8
    /// Blue, 0…255.
    public let blue: UInt8

    /// - Parameters:
    ///   - red: Red, 0…255.
    ///   - green: Green, 0…255.
    ///   - blue: Blue, 0…255.
    public init(red: UInt8, green: UInt8, blue: UInt8) {
        self.red = red
        self.green = green
        self.blue = blue
    }

    /// The colour as CSS writes it: `#a07c5e`.
    public var hex: String {
        let digits = Array("0123456789abcdef")
        return [red, green, blue].reduce(into: "#") { text, channel in
            text.append(digits[Int(channel >> 4)])
            text.append(digits[Int(channel & 15)])
        }
    }
}
