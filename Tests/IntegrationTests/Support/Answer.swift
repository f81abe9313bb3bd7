import Foundation
import Testing

/// An HTTP answer as curl received it.
struct Answer {
    let status: Int
    let fields: [(name: String, value: String)]
    let body: Data

    /// The first field of this name, compared without case.
    func field(_ name: String) -> String? {
        fields.first { $0.name.lowercased() == name.lowercased() }?.value
    }

    /// The body as a JSON object.
    func json() throws -> [String: Any] {
        try #require(try JSONSerialization.jsonObject(with: body) as? [String: Any], "\(text.prefix(300))")
    }

    var text: String { String(decoding: body, as: UTF8.self) }
}
