import Analysis
import HTTPServer
import HTTPWire
import Telemetry
import Testing

@testable import Service

@Suite struct MultipartItemsTests {
    private func images(_ text: String, contentType: String = "multipart/form-data; boundary=b", imageLimit: Int = .max)
        async throws -> [(
            id: String?, text: String
        )]
    {
        var images: [(id: String?, text: String)] = []
        let body = BodyChunks(
            body: RequestBody(bytes: Array(text.replacing("\n", with: "\r\n").utf8)),
            cancellations: CancellationMetrics(registry: MetricsRegistry()))
        for try await item in try MultipartItems(body: body, contentType: contentType, imageLimit: imageLimit) {
            switch item {
            case .image(let image): images.append((image.id, String(decoding: image.bytes, as: UTF8.self)))
            case .unreadable(let id, let error): images.append((id, "\(error)"))
            }
        }
        return images
    }

    @Test func everyPartIsAnImageCalledByItsFileOrItsField() async throws {
        let images = try await images(
            """
            --b
            Content-Disposition: form-data; name="one"; filename="cat.jpg"
            Content-Type: image/jpeg

            meow
            --b
            Content-Disposition: form-data; name="two"

            field
            --b
            Content-Disposition: form-data; name="three"; filename="empty.png"


            --b--
            """)
        #expect(images.map(\.id) == ["cat.jpg", "two", "empty.png"])
        #expect(images.map(\.text) == ["meow", "field", ""])
    }

    @Test func aBodyThatBreaksOffIsAnErrorAfterTheImagesThatWereWhole() async throws {
        let text = "--b\nContent-Disposition: form-data; name=\"a\"\n\nwhole\n--b\nContent-Disposition: form-data; name"
        await #expect(throws: MultipartError.self) { try await images(text) }
    }

    @Test func aContentTypeWithoutABoundaryIsAnError() async {
        await #expect(throws: MultipartError.missingBoundaryParameter) {
            try await images("", contentType: "multipart/form-data")
        }
    }

    @Test func aPartThatIsTooLargeIsOneItemsErrorAndTheOthersAreRead() async throws {
        let images = try await images(
            """
            --b
            Content-Disposition: form-data; name="one"

            12345
            --b
            Content-Disposition: form-data; name="two"

            123456
            --b
            Content-Disposition: form-data; name="three"

            1
            --b--

            """, imageLimit: 5)
        #expect(images.map(\.id) == ["one", "two", "three"])
        #expect(images.map(\.text) == ["12345", "\(BodyError.tooLarge(limit: 5))", "1"])
    }
}
