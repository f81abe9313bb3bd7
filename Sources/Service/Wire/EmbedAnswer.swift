import Analysis
import FoundationEssentials
import HTTPServer

/// Writes the answers of `POST /v1/embed`.
struct EmbedAnswer: Sendable {
    /// The model that answered.
    let modelName: String
    let modelFingerprint: String
    /// Whether vectors are scaled to length 1.
    let normalize: Bool
    let options: EmbedOptions

    /// The vector as it was asked for.
    func vector(of analysis: ImageAnalysis) -> EmbeddingVector {
        EmbeddingVector(modelOutput: analysis.embedding, dimensions: options.dimensions, normalize: normalize)
    }

    /// One picture: a flat object and a line feed.
    func json(of analysis: ImageAnalysis, id: String?) -> [UInt8] {
        var json = JSONWriter()
        write(analysis, id: id, to: &json)
        return json.bytes + [UInt8(ascii: "\n")]
    }

    /// Several pictures: `{"results":[…]}`, each with its vector or with what `problemJSON` writes for its error.
    func json(of outcomes: [ImageOutcome], problemJSON: (any Error) -> [UInt8]) -> [UInt8] {
        var json = JSONWriter()
        json.object { json in
            json.key("results")
            json.array(outcomes) { json, outcome in
                switch outcome.result {
                case .success(let analysis): write(analysis, id: outcome.id, to: &json)
                case .failure(let error):
                    json.object { json in
                        json.member("id", outcome.id)
                        json.key("error")
                        json.raw(problemJSON(error))
                    }
                }
            }
        }
        return json.bytes + [UInt8(ascii: "\n")]
    }

    private func write(_ analysis: ImageAnalysis, id: String?, to json: inout JSONWriter) {
        let vector = vector(of: analysis)
        json.object { json in
            json.member("id", id)
            json.member("model", modelName)
            json.member("model_fingerprint", modelFingerprint)
            json.member("dimensions", vector.elements.count)
            json.member("normalized", vector.isNormalized)
            json.key("embedding")
            switch options.encoding {
            case .float: json.array(vector.elements) { $0.number($1) }
            case .base64: json.string(Data(vector.littleEndianBytes).base64EncodedString())
            }
            json.member("dominant_color", analysis.dominantColor.hex)
            json.key("image")
            json.object { json in
                json.member("format", analysis.header.format.rawValue)
                json.member("width", analysis.header.width)
                json.member("height", analysis.header.height)
                json.member("orientation", analysis.header.orientation.rawValue)
            }
            json.member("sha256", analysis.digest.hexadecimal)
            if analysis.isCached {
                json.member("cached", true)
            }
        }
    }
}
