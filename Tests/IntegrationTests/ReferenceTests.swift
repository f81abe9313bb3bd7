import Foundation
import Testing

/// The third promise: the vector is the reference's vector.
@Suite struct ReferenceTests {
    /// Cosines to the live reference, and the least that is allowed.
    private func compare(_ pictures: [URL], mode: String, least: Double) async throws {
        let reference = try await Reference.lines(for: pictures)
        let flags = ["--decode.mode", mode, "--decode.formats", "jpeg,png,webp,gif,tiff"]
        let lowest = try await ServiceProcess.run(flags) { service in
            var lowest = (cosine: 2.0, picture: "")
            for (picture, line) in zip(pictures, reference) {
                let name = picture.lastPathComponent
                let answer = try await service.post(picture)
                guard let expected = line.embedding else {
                    // A TIFF with separate planes, which Pillow can't read: there is nothing to compare with.
                    #expect(name == "multipage_rgb.tif", "\(name): \(line.error ?? "")")
                    #expect(answer.status < 500)
                    continue
                }
                try #require(answer.status == 200, "\(name): \(answer.text.prefix(300))")
                let cosine = cosine(try answer.embedding(), expected)
                #expect(cosine >= least, "\(name)")
                if cosine < lowest.cosine { lowest = (cosine, name) }
            }
            return lowest
        }
        print("\(mode): lowest cosine of \(pictures.count) pictures \(lowest.cosine) (\(lowest.picture))")
    }

    @Test func exactModeEqualsTheReferenceOnEveryPictureOfBothWheels() async throws {
        let pictures = try Pictures.all()
        #expect(pictures.count >= 30)
        try await compare(pictures, mode: "exact", least: 0.9999)
    }

    @Test func exactModeEqualsTheReferenceOnLargePhotographs() async throws {
        try await compare(try Pictures.photographs(), mode: "exact", least: 0.9999)
    }

    @Test func fastModeStaysCloseToTheReferenceOnLargePhotographs() async throws {
        let photographs = try Pictures.photographs()
        #expect(photographs.count >= 6)
        try await compare(photographs, mode: "fast", least: 0.997)
    }
}
