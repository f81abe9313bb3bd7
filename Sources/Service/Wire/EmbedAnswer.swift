import Analysis
import FoundationEssentials
import HTTPServer
import Inference

/// Writes what came of pictures: the answers of `POST /v1/embed`, and the lines of batches and jobs.
struct EmbedAnswer: Sendable {
    private let options: EmbedOptions
    private let modelName: String
    private let modelFingerprint: String
    /// Whether vectors are scaled to length 1.
    private let normalize: Bool

    /// - Throws: `EmbedRequestError` if the options ask for what the model doesn't have.
    init(options: EmbedOptions, model: Model, fingerprint: String) throws(EmbedRequestError) {
        let card = model.card
        if let name = options.model, name != card.name {
            throw .unknownModel(name, served: [card.name])
        }
        if let dimensions = options.dimensions, dimensions > card.output.dimensions {
            throw .badParameter(
                name: "dimensions", value: "\(dimensions)",
                allowed: "at most \(card.output.dimensions), which is what \(card.name) has")
        }
        self.options = options
        modelName = card.name
        modelFingerprint = fingerprint
        normalize = options.normalize ?? card.output.normalize
    }

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
            json.array(outcomes) { write($1, index: nil, problemJSON, to: &$0) }
        }
        return json.bytes + [UInt8(ascii: "\n")]
    }

    /// One picture of a batch: an object with its position, on a line.
    func line(of outcome: ImageOutcome, index: Int, problemJSON: (any Error) -> [UInt8]) -> [UInt8] {
        var json = JSONWriter()
        write(outcome, index: index, problemJSON, to: &json)
        return json.bytes + [UInt8(ascii: "\n")]
    }

    private func write(
        _ outcome: ImageOutcome, index: Int?, _ problemJSON: (any Error) -> [UInt8], to json: inout JSONWriter
    ) {
        switch outcome.result {
        case .success(let analysis):
            write(analysis, id: outcome.id, index: index, to: &json)
        case .failure(let error):
            json.object { json in
                json.member("index", index)
                json.member("id", outcome.id)
                json.key("error")
                json.raw(problemJSON(error))
            }
        }
    }

    private func write(_ analysis: ImageAnalysis, id: String?, index: Int? = nil, to json: inout JSONWriter) {
        let vector = vector(of: analysis)
        json.object { json in
            json.member("index", index)
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
