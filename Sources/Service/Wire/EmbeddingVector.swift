/// A vector in the form that the client asked for.
struct EmbeddingVector: Sendable, Equatable {
    /// The elements.
    let elements: [Float]
    /// Whether their squares sum to 1.
    let isNormalized: Bool

    /// Takes the leading `dimensions` elements of the model's output and scales them to length 1 if asked to.
    ///
    /// Cut first, scaled afterwards: this is how vectors of models trained for it are shortened (Kusupati et al.,
    /// Matryoshka Representation Learning, 2022). A vector of zeros stays one, since it has no direction.
    init(modelOutput: [Float], dimensions: Int?, normalize: Bool) {
        let cut = dimensions.map { Array(modelOutput.prefix($0)) } ?? modelOutput
        let length = cut.reduce(0) { $0 + Double($1) * Double($1) }.squareRoot()
        isNormalized = normalize && length > 0
        elements = isNormalized ? cut.map { Float(Double($0) / length) } : cut
    }

    /// Four bytes an element, IEEE 754 binary32, least significant byte first.
    var littleEndianBytes: [UInt8] {
        elements.flatMap { element in
            withUnsafeBytes(of: element.bitPattern.littleEndian) { Array($0) }
        }
    }
}
