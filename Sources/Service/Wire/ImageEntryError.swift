/// What is wrong with one picture that came in JSON.
enum ImageEntryError: Error, Equatable {
    /// It is no JSON object with the right types; why.
    case notAnEntry(String)
    /// It has no picture in it.
    case noPicture
    /// The picture is not base64.
    case notBase64
    /// The service doesn't fetch pictures.
    case urlsNotRead
    /// Its id has more bytes than are kept.
    case idTooLong(limit: Int)
    /// The line has more bytes than a picture may have in base64.
    case lineTooLong(limit: Int)
}
