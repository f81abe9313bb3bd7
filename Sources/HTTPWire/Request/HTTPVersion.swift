/// The protocol versions that the parser accepts (RFC 9112 section 2.3). A higher minor version of HTTP/1 is treated as
/// 1.1, as RFC 9110 section 2.5 asks.
public enum HTTPVersion: Sendable {
    /// HTTP/1.0: no chunked coding, no `100 Continue`, closed after a response unless `keep-alive` is asked for.
    case http10
    /// HTTP/1.1.
    case http11
}
