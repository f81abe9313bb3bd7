/// What a multipart body turns out to hold, in its order: for each part `partBegin`, any number of `partData` and
/// `partEnd`; then one `end`.
public enum MultipartEvent: Sendable, Equatable {
    /// A part's headers are complete.
    case partBegin(MultipartPart)
    /// More of the part's data; never empty. A slice of what was fed, where possible without a copy.
    case partData(ArraySlice<UInt8>)
    /// The part is complete.
    case partEnd
    /// The final boundary was seen. Whatever follows is ignored.
    case end
}
