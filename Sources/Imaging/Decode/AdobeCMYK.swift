/// Four-colour pixels as JPEGs carry them.
///
/// Adobe's programs store ink as 255 minus ink, and everybody who reads them has followed. The conversion is the plain
/// one without colour profiles that Pillow uses.
enum AdobeCMYK {
    /// In place: four bytes of inverted cyan, magenta, yellow, black become red, green, blue and an alpha of 255.
    static func convertToRGB(_ row: UnsafeMutableBufferPointer<UInt32>) {
        for index in row.indices {
            let pixel = row[index]
            // 255 minus black, with black stored inverted.
            let white = pixel >> 24
            let red = channel(storedInk: pixel & 255, white: white)
            let green = channel(storedInk: pixel >> 8 & 255, white: white)
            let blue = channel(storedInk: pixel >> 16 & 255, white: white)
            row[index] = red | green << 8 | blue << 16 | 255 << 24
        }
    }

    /// White less the ink's share of it, rounded to the nearest.
    private static func channel(storedInk: UInt32, white: UInt32) -> UInt32 {
        let product = (255 - storedInk) * white + 128
        let ink = (product >> 8 + product) >> 8
        return white - ink
    }
}
