import HTTPServer
import HTTPWire
import Imaging
import Scheduling
import Testing

@testable import Service

@Suite struct ProblemTests {
    private struct SomethingElse: Error {}

    @Test func everyErrorHasItsStatus() {
        let cases: [(any Error, Int, String)] = [
            (ImagingError.unsupported(found: .unsupported(.pdf), enabled: [.jpeg]), 415, "unsupported-format"),
            (ImagingError.tooManyPixels(width: 9, height: 9, limit: 80), 413, "image-too-large"),
            (ImagingError.sideTooLong(width: 9, height: 9, limit: 8), 413, "image-too-large"),
            (ImagingError.tooSmall(width: 1, height: 9, minimumSide: 2), 422, "image-too-small"),
            (ImagingError.broken(format: .png, what: "x", where: "y"), 422, "broken-image"),
            (EmbedRequestError.emptyBody, 400, "empty-body"),
            (EmbedRequestError.unknownModel("a", served: ["b"]), 404, "unknown-model"),
            (EmbedRequestError.bytesOfSeveralPictures, 406, "not-acceptable"),
            (MultipartError.missingBoundaryParameter, 400, "malformed-multipart"),
            (BodyError.tooLarge(limit: 1), 413, "body-too-large"),
            (DeadlineExceeded(deadline: .now), 504, "deadline-exceeded"),
            (CancellationError(), 503, "stopping"),
            (SomethingElse(), 500, "internal-error"),
        ]
        for (error, status, slug) in cases {
            let problem = Problem(error)
            #expect(problem.status.code == status, "\(error)")
            #expect(problem.slug == slug, "\(error)")
        }
    }

    @Test func anInternalErrorTellsNothingOfTheInside() {
        let json = String(
            decoding: Problem(SomethingElse()).json(typePrefix: Problem.typePrefix, instance: "id"), as: UTF8.self)
        #expect(!json.contains("SomethingElse"))
        #expect(json.contains("\"instance\":\"id\""))
    }
}
