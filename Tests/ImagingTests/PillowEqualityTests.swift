import Imaging
import Scheduling
import TestSupport
import Testing

@Suite("Equal to Pillow, bit by bit")
struct PillowEqualityTests {
    private static let everything = DecodeLimits(enabledFormats: Set(ImageFormat.allCases))

    private static func check(_ jobs: [PillowReference.Job]) throws {
        for answer in try PillowReference.run(jobs) {
            let job = answer.job
            let prepared = try ImagePreparer.prepare(
                answer.file, preparation: preparation(of: job), limits: everything, cancellation: CancellationFlag())
            let worst = zip(prepared.pixels, answer.pixels).map { abs(Int($0) - Int($1)) }.max() ?? 0
            #expect(prepared.pixels.count == answer.pixels.count, "\(job)")
            #expect(worst == 0, "\(job)")
            #expect(prepared.header.orientation.rawValue == job.orientation, "\(job)")
        }
    }

    private static func preparation(of job: PillowReference.Job) throws -> Preparation {
        let rule: ResizeRule =
            switch job.resize {
            case .shorterSide(let side): .shorterSide(side)
            case .exact(let sides): .exact(width: sides[0], height: sides[1])
            case .none: .shorterSide(1)
            }
        let interpolation = try #require(Interpolation(rawValue: job.interpolation))
        return try Preparation(
            resize: rule, cropWidth: job.crop[0], cropHeight: job.crop[1], interpolation: interpolation, mode: .exact)
    }

    private static let pictures = [
        "jpeg-420", "jpeg-422", "jpeg-444", "jpeg-gray", "jpeg-progressive", "jpeg-restarts", "jpeg-rgb", "jpeg-cmyk",
        "jpeg-ycck", "png-rgb", "png-rgba", "png-gray", "png-gray-alpha", "png-palette", "png-palette-transparent",
        "png-one-bit", "png-rgb-16", "png-rgba-16", "png-gray-alpha-16", "png-gray-16", "png-interlaced",
        "png-described", "png-described-alpha", "png-described-gray", "webp-lossy",
        "webp-lossy-alpha", "webp-lossless", "webp-lossless-alpha", "webp-animation", "webp-animation-described", "gif",
        "gif-gray",
        "gif-transparent", "gif-small-frame", "gif-large-frame", "gif-animation", "gif-transparent-part", "tiff",
        "tiff-cmyk",
    ]

    @Test func decodesEveryKindOfPicture() throws {
        let sizes = [(97, 61), (64, 80), (33, 200), (17, 16), (1, 1), (9, 1)]
        let jobs = Self.pictures.flatMap { picture in
            // Resized to its own size, a picture shows each pixel as it was decoded.
            let whole = PillowReference.Job(
                picture: picture, width: 97, height: 61, resize: .exact([97, 61]), crop: [97, 61])
            return [whole]
                + sizes.enumerated().map { index, size in
                    PillowReference.Job(picture: picture, width: size.0, height: size.1, seed: index)
                }
        }
        try Self.check(jobs)
    }

    @Test func drawsAFrameOnAScreenOfAnySize() throws {
        let screens = [
            "gif-640-480": [640, 480], "gif-800-600": [800, 600], "gif-3000-20": [3_000, 20],
            "gif-second-outside": [50, 40],
        ]
        try Self.check(
            screens.map { picture, size in
                PillowReference.Job(
                    picture: picture, width: size[0], height: size[1], resize: .exact(size), crop: size)
            })
    }

    @Test func drawsAFrameAnywhereOnItsScreen() throws {
        var random = SeededGenerator(seed: 43)
        try Self.check(
            (0..<60).map { index in
                let size = [Int.random(in: 1...120, using: &random), Int.random(in: 1...90, using: &random)]
                return PillowReference.Job(
                    picture: "gif-of-any-shape", width: size[0], height: size[1], seed: index, resize: .exact(size),
                    crop: size)
            })
    }

    @Test func turnsByEveryOrientation() throws {
        let pictures = [
            "jpeg-420", "jpeg-progressive", "jpeg-cmyk", "jpeg-xmp", "png-rgb", "webp-lossy", "tiff",
            "png-exif-profile", "png-exif-profile-plain", "png-xmp", "png-xmp-compressed", "png-contradicting",
            "webp-animation-described",
        ]
        let jobs = pictures.flatMap { picture in
            (1...8).map { orientation in
                PillowReference.Job(
                    picture: picture, width: 83, height: 58, seed: orientation, orientation: orientation,
                    crop: [31, 20], interpolation: ["bilinear", "bicubic", "lanczos"][orientation % 3])
            }
        }
        try Self.check(jobs)
    }

    @Test func resizesAnyShape() throws {
        var random = SeededGenerator(seed: 42)
        let jobs = (0..<150).map { index in
            let width = Int.random(in: 1...300, using: &random)
            let height = Int.random(in: 1...300, using: &random)
            let target = [Int.random(in: 1...160, using: &random), Int.random(in: 1...160, using: &random)]
            let side = Int.random(in: 1...120, using: &random)
            let isExact = index % 2 == 0
            let limits = isExact ? target : [side, side]
            return PillowReference.Job(
                picture: "png-rgb", width: width, height: height, seed: index,
                orientation: Int.random(in: 1...8, using: &random),
                resize: isExact ? .exact(target) : .shorterSide(side),
                crop: limits.map { Int.random(in: 1...$0, using: &random) },
                interpolation: ["bilinear", "bicubic", "lanczos"][index % 3])
        }
        try Self.check(jobs)
    }

    @Test func resizesExtremeShapes() throws {
        let shapes = [(1, 1), (1, 400), (400, 1), (2, 3000), (3000, 2), (5000, 3), (7, 7)]
        let jobs = shapes.flatMap { shape in
            ["bilinear", "bicubic", "lanczos"].map { interpolation in
                PillowReference.Job(
                    picture: "png-rgb", width: shape.0, height: shape.1, resize: .shorterSide(9), crop: [9, 8],
                    interpolation: interpolation)
            }
        }
        let stretched = shapes.map { shape in
            PillowReference.Job(
                picture: "png-gray", width: shape.0, height: shape.1, resize: .exact([20, 30]), crop: [20, 30],
                interpolation: "lanczos")
        }
        try Self.check(jobs + stretched)
    }
}
