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
    /// A multipart body without a part in it.
    case noParts
    /// Raw float32 can only answer one raw picture.
    case bytesOfSeveralPictures
}
