import Glibc

/// A colour in OKLab, a space in which equal distances look about equally large (Björn Ottosson, 2020).
struct OKLab: Hashable {
    /// 0 is black, 1 is white.
    let lightness: Float
    /// Green (negative) to red (positive), within ±0.4.
    let a: Float
    /// Blue (negative) to yellow (positive), within ±0.4.
    let b: Float

    /// - Parameters: sRGB channels, 0…255.
    init(red: Float, green: Float, blue: Float) {
        let (r, g, b) = (Self.linear(red), Self.linear(green), Self.linear(blue))
        let long = cbrtf(0.412_221_470_8 * r + 0.536_332_536_3 * g + 0.051_445_992_9 * b)
        let medium = cbrtf(0.211_903_498_2 * r + 0.680_699_545_1 * g + 0.107_396_956_6 * b)
        let short = cbrtf(0.088_302_461_9 * r + 0.281_718_837_6 * g + 0.629_978_700_5 * b)
        lightness = 0.210_454_255_3 * long + 0.793_617_785_0 * medium - 0.004_072_046_8 * short
        a = 1.977_998_495_1 * long - 2.428_592_205_0 * medium + 0.450_593_709_9 * short
        self.b = 0.025_904_037_1 * long + 0.782_771_766_2 * medium - 0.808_675_766_0 * short
    }

    /// The transfer function of IEC 61966-2-1, from a table with one entry a level.
    private static func linear(_ channel: Float) -> Float {
        linearLevels[Int(min(max(channel, 0), 255).rounded())]
    }

    private static let linearLevels: [Float] = (0...255).map { level in
        let value = Float(level) / 255
        return value <= 0.040_45 ? value / 12.92 : powf((value + 0.055) / 1.055, 2.4)
    }
}
