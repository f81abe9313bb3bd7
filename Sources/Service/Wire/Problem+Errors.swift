import Analysis
import HTTPServer
import HTTPWire
import Imaging
import Scheduling

/// The one place where what went wrong becomes what the client is told.
extension Problem {
    /// What `type` begins with in every problem; a slug follows.
    static let typePrefix = "urn:embedd:problem:"

    /// What an error means for the client; what isn't the client's doing is told without the inside.
    init(_ error: any Error) {
        switch error {
        case let error as EmbedRequestError: self.init(error)
        case let error as ImageEntryError: self.init(error)
        case let error as JobError: self.init(error)
        case JobRequestError.unknownJob(let id):
            self.init(
                status: .notFound, slug: "unknown-job", title: "Unknown job",
                detail: "There is no job \"\(id)\": it never was, or it was deleted, replaced or kept for long enough.")
        case let error as ImagingError: self.init(error)
        case let error as Overload: self.init(error)
        case let error as MemoryExceeded:
            self.init(
                status: .contentTooLarge, slug: "image-too-large", title: "Image too large",
                detail:
                    "Decoding the picture takes \(error.neededBytes) bytes of memory; there are \(error.budgetBytes).",
                members: [
                    Member("needed_bytes", .integer(error.neededBytes)),
                    Member("limit_bytes", .integer(error.budgetBytes)),
                ])
        case MultipartError.tooManyParts(let limit):
            self.init(
                status: .contentTooLarge, slug: "too-many-parts", title: "Too many parts",
                detail: "A request may have at most \(limit) parts; send the rest in another one.",
                members: [Member("limit_parts", .integer(limit))])
        case let error as MultipartError:
            self.init(
                status: .badRequest, slug: "malformed-multipart", title: "Malformed multipart body",
                detail: error.description)
        case is DeadlineExceeded:
            self.init(
                status: .gatewayTimeout, slug: "deadline-exceeded", title: "Deadline exceeded",
                detail: "The request took longer than its deadline allows and was stopped.")
        case is CancellationError, is LaneError:
            // A client that left is not answered at all, so this one is still there: the service is going.
            self = .stopping
        default: self.init(describing: error)
        }
    }

    /// A pool of tasks stands still; why and where.
    static func poolStarved(_ reason: String) -> Problem {
        Problem(
            status: .serviceUnavailable, slug: "pool-starved", title: "A pool of tasks stands still", detail: reason)
    }

    private init(_ error: Overload) {
        // At least a second, since the field has no smaller unit (RFC 9110 section 10.2.3).
        let seconds = Int(max(1, (error.retryAfter / .seconds(1)).rounded(.up)))
        let what =
            switch error.reason {
            case .images: "As many images wait as may"
            case .bytes: "As many bytes wait as may"
            case .hopeless: "The image's turn would come too late"
            case .timeout: "The image has waited for its turn as long as it may"
            }
        self.init(
            status: .serviceUnavailable, slug: "overloaded", title: "Overloaded",
            detail: "\(what). Those that wait now will be done in about \(seconds) s.",
            members: [Member("reason", .string(error.reason.rawValue))], fields: [.retryAfter: "\(seconds)"])
    }

    /// The service takes no more requests.
    static let stopping = Problem(
        status: .serviceUnavailable, slug: "stopping", title: "The service is stopping",
        detail: "Try another instance, or this one again in a moment.", fields: [.retryAfter: "1"])

    private init(_ error: EmbedRequestError) {
        switch error {
        case .badParameter(let name, let value, let allowed):
            self.init(
                status: .badRequest, slug: "bad-parameter", title: "Bad query parameter",
                detail: "\(name) is \"\(value)\", but it must be \(allowed).")
        case .unknownParameter(let name, let known):
            self.init(
                status: .badRequest, slug: "bad-parameter", title: "Bad query parameter",
                detail: "There is no parameter \"\(name)\"; there are \(known.joined(separator: ", ")).")
        case .unknownModel(let name, let served):
            self.init(
                status: .notFound, slug: "unknown-model", title: "Unknown model",
                detail: "There is no model \"\(name)\"; served are \(served.joined(separator: ", ")).")
        case .emptyBody:
            self.init(
                status: .badRequest, slug: "empty-body", title: "Empty body",
                detail: "The body is empty. Send the picture's bytes: curl --data-binary @picture.jpg")
        case .noParts:
            self.init(
                status: .badRequest, slug: "empty-body", title: "Empty body",
                detail: "The body has no pictures in it. Send some: curl -F file=@picture.jpg")
        case .badJSON(let why):
            self.init(
                status: .badRequest, slug: "bad-json", title: "Bad JSON",
                detail: "The body is not {\"images\":[{\"id\":\"a\",\"base64\":\"…\"}]}: \(why).")
        case .tooManyImages(let limit):
            self.init(
                status: .contentTooLarge, slug: "too-many-parts", title: "Too many parts",
                detail: "A JSON body may have at most \(limit) pictures, and \(JSONSize.maximumValues) values in all; "
                    + "send the rest in another one.",
                members: [Member("limit_parts", .integer(limit))])
        case .emptyBatch:
            self.init(
                status: .badRequest, slug: "empty-body", title: "Empty body",
                detail: "The body has no pictures in it. Send multipart/form-data, or a JSON object a line.")
        case .batchContentType(let found):
            self.init(
                status: .unsupportedMediaType, slug: "unsupported-media-type", title: "Unsupported media type",
                detail: "The Content-Type is \"\(found)\"; it has to be multipart/form-data or application/x-ndjson.",
                fields: [.accept: "multipart/form-data, application/x-ndjson"])
        case .tooManyBatches(let limit, let seconds):
            self.init(
                status: .serviceUnavailable, slug: "too-many-batches", title: "Too many batches",
                detail: "\(limit) batches are open, as many as may be. Try again when one of them has ended.",
                fields: [.retryAfter: "\(seconds)"])
        case .bytesOfSeveralPictures:
            self.init(
                status: .notAcceptable, slug: "not-acceptable", title: "Not acceptable",
                detail:
                    "Several pictures are answered with JSON only; application/octet-stream answers one raw picture."
            )
        }
    }

    private init(_ error: JobError) {
        switch error {
        case .tooManyJobs(let limit):
            self.init(
                status: .serviceUnavailable, slug: "too-many-jobs", title: "Too many jobs",
                detail: "\(limit) jobs are under way, as many as may be. Delete one, or wait until one has ended.",
                fields: [.retryAfter: "10"])
        case .stopping:
            self = .stopping
        case .tooLarge(let limit):
            self.init(
                status: .contentTooLarge, slug: "job-too-large", title: "Job too large",
                detail: "The job's results alone would take more than the \(limit) bytes that jobs may take together.",
                members: [Member("limit_bytes", .integer(limit))])
        case .noRoom(let limit):
            self.init(
                status: .serviceUnavailable, slug: "no-room-for-jobs", title: "No room for jobs",
                detail:
                    "Jobs that are paused or still being sent, this one perhaps among them, hold the \(limit) bytes that "
                    + "jobs may take together. Resume or delete one, or try again when one has ended.",
                members: [Member("limit_bytes", .integer(limit))], fields: [.retryAfter: "10"])
        case .hasEnded(let end):
            self.init(
                status: .conflict, slug: "job-has-ended", title: "Job has ended",
                detail: "The job is \(end.rawValue); there is nothing to pause or to go on with.")
        case .cancelled:
            self.init(
                status: .conflict, slug: "job-cancelled", title: "Job cancelled",
                detail: "The job was deleted, replaced, or given up because the service stops.")
        }
    }

    private init(_ error: ImageEntryError) {
        switch error {
        case .notAnEntry(let why):
            self.init(
                status: .badRequest, slug: "bad-json", title: "Bad JSON",
                detail: "The line is not {\"id\":\"a\",\"base64\":\"…\"}: \(why).")
        case .noPicture:
            self.init(
                status: .badRequest, slug: "bad-json", title: "Bad JSON",
                detail: "There is no \"base64\" with a picture in it.")
        case .notBase64:
            self.init(
                status: .badRequest, slug: "bad-base64", title: "Bad base64",
                detail: "The picture is not base64 (RFC 4648 section 4) with its padding.")
        case .urlsNotRead:
            self.init(
                status: .badRequest, slug: "urls-not-read", title: "URLs are not read",
                detail: "The service doesn't fetch pictures; send the bytes as \"base64\".")
        case .idTooLong(let limit):
            self.init(
                status: .badRequest, slug: "id-too-long", title: "Id too long",
                detail: "The picture's id, or its file's name, has more than \(limit) bytes.",
                members: [Member("limit_bytes", .integer(limit))])
        case .lineTooLong(let limit):
            self.init(
                status: .contentTooLarge, slug: "line-too-long", title: "Line too long",
                detail: "The line has more than \(limit) bytes and was passed over.",
                members: [Member("limit_bytes", .integer(limit))])
        }
    }

    private init(_ error: ImagingError) {
        switch error {
        case .unsupported(let found, let enabled):
            self.init(
                status: .unsupportedMediaType, slug: "unsupported-format", title: "Unsupported format",
                detail: "Found \(found.name); accepted are \(enabled.map(\.rawValue).joined(separator: ", ")).",
                members: [Member("found", .string(found.name)), Member("accepted", .strings(enabled.map(\.rawValue)))])
        case .tooManyPixels(let width, let height, let limit):
            self.init(
                status: .contentTooLarge, slug: "image-too-large", title: "Image too large",
                detail: "The picture has \(width) x \(height) pixels; at most \(limit) pixels are accepted.",
                members: [
                    Member("width", .integer(width)), Member("height", .integer(height)),
                    Member("limit_pixels", .integer(limit)),
                ])
        case .sideTooLong(let width, let height, let limit):
            self.init(
                status: .contentTooLarge, slug: "image-too-large", title: "Image too large",
                detail: "The picture has \(width) x \(height) pixels; a side may have at most \(limit).",
                members: [
                    Member("width", .integer(width)), Member("height", .integer(height)),
                    Member("limit_side", .integer(limit)),
                ])
        case .tooSmall(let width, let height, let minimumSide):
            self.init(
                status: .unprocessableContent, slug: "image-too-small", title: "Image too small",
                detail: "The picture has \(width) x \(height) pixels; a side must have at least \(minimumSide).",
                members: [
                    Member("width", .integer(width)), Member("height", .integer(height)),
                    Member("minimum_side", .integer(minimumSide)),
                ])
        case .broken(let format, let what, let place):
            self.init(
                status: .unprocessableContent, slug: "broken-image", title: "Broken image",
                detail: "The \(format.rawValue) is broken: \(what), \(place).",
                members: [Member("format", .string(format.rawValue))])
        }
    }
}
