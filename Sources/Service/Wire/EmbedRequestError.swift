/// What is wrong with a request that is well-formed HTTP.
enum EmbedRequestError: Error, Equatable {
    /// A query parameter has a value that is not allowed.
    case badParameter(name: String, value: String, allowed: String)
    /// There is no query parameter of this name.
    case unknownParameter(name: String, known: [String])
    /// The model is not served.
    case unknownModel(String, served: [String])
    /// The body has no bytes.
    case emptyBody
    /// A multipart or JSON body without a picture in it.
    case noParts
    /// A JSON body that doesn't have the documented form; why.
    case badJSON(String)
    /// A JSON body with more pictures than a request may have, or with more values than so many pictures need.
    case tooManyImages(limit: Int)
    /// A batch without a picture in it.
    case emptyBatch
    /// A batch of a content type that holds no pictures.
    case batchContentType(String)
    /// As many batches are open as may be.
    case tooManyBatches(limit: Int, retryAfterSeconds: Int)
    /// Raw float32 can only answer one raw picture.
    case bytesOfSeveralPictures
}
