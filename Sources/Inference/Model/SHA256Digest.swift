import CCrypto
import FoundationEssentials

/// The SHA-256 of some bytes (FIPS 180-4), by OpenSSL.
public struct SHA256Digest: Hashable, Sendable {
    static let byteCount = 32

    /// 32 bytes.
    public let bytes: [UInt8]

    /// Hashes all of the bytes; about half a millisecond a megabyte, so not for large ones on the cooperative pool.
    public init(of content: some ContiguousBytes) {
        bytes = [UInt8](unsafeUninitializedCapacity: Self.byteCount) { digest, count in
            let succeeded = content.withUnsafeBytes { content in
                EVP_Digest(content.baseAddress, content.count, digest.baseAddress, nil, EVP_sha256(), nil)
            }
            // Fails only when OpenSSL has no memory or was configured without SHA-256; no input leads here.
            precondition(succeeded == 1, "OpenSSL can't compute SHA-256")
            count = Self.byteCount
        }
    }

    /// Hashes the bytes piece by piece, as long as nobody says that it is of no use any more.
    ///
    /// - Parameter isCancelled: Asked every 256 KiB.
    /// - Returns: nil if it was cancelled.
    public init?(of content: some ContiguousBytes, unless isCancelled: () -> Bool) {
        let sliceBytes = 256 * 1024
        let context = EVP_MD_CTX_new()
        defer { EVP_MD_CTX_free(context) }
        var isComplete = EVP_DigestInit_ex(context, EVP_sha256(), nil) == 1
        precondition(isComplete, "OpenSSL can't compute SHA-256")
        content.withUnsafeBytes { content in
            var rest = content[...]
            while !rest.isEmpty, isComplete {
                let slice = rest.prefix(sliceBytes)
                // The pointer is used within the call only.
                let status = slice.withUnsafeBytes { EVP_DigestUpdate(context, $0.baseAddress, $0.count) }
                precondition(status == 1, "OpenSSL can't compute SHA-256")
                rest = rest.dropFirst(sliceBytes)
                isComplete = rest.isEmpty || !isCancelled()
            }
        }
        guard isComplete else { return nil }
        bytes = [UInt8](unsafeUninitializedCapacity: Self.byteCount) { digest, count in
            let status = EVP_DigestFinal_ex(context, digest.baseAddress, nil)
            precondition(status == 1, "OpenSSL can't compute SHA-256")
            count = Self.byteCount
        }
    }

    /// 64 lower-case hexadecimal digits.
    public var hexadecimal: String {
        let digits = Array("0123456789abcdef".utf8)
        return String(decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
    }
}
