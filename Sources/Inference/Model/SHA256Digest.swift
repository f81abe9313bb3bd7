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

    /// 64 lower-case hexadecimal digits.
    public var hexadecimal: String {
        let digits = Array("0123456789abcdef".utf8)
        return String(decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
    }
}
