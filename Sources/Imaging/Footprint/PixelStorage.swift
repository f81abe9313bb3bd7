/// How a file keeps its pixels, as far as that decides what memory its decoder takes.
enum PixelStorage: Hashable {
    case jpeg(JPEGStorage)
    case png(PNGStorage)
    case webp(WebPStorage)
    case gif(GIFStorage)
    case tiff(TIFFStorage)
}

extension PixelStorage {
    /// The most that the decoder allocates, its output's rows included.
    ///
    /// - Parameter reduction: None for all formats but JPEG.
    func decoderBytes(width: Int, height: Int, reduction: JPEGReduction) -> ByteCount {
        switch self {
        case .jpeg(let storage): storage.decoderBytes(width: width, height: height, reduction: reduction)
        case .png(let storage): storage.decoderBytes(width: width, height: height)
        case .webp(let storage): storage.decoderBytes(width: width, height: height)
        case .gif(let storage): storage.decoderBytes(width: width)
        case .tiff(let storage): storage.decoderBytes(width: width, height: height)
        }
    }
}
