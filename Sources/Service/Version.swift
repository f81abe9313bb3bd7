/// Which embedd this is.
public enum Version {
    /// Semantic version of the service and its HTTP interface.
    public static let current = "0.1.0"
}
