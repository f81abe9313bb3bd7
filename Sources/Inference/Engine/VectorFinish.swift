/// The last step from a network's raw output to the vector that is handed out.
enum VectorFinish {
    /// Copies the numbers, scaled to Euclidean length 1 if asked.
    ///
    /// A vector of zeros has no direction and stays as it is.
    ///
    /// - Throws: ``InferenceError/notFinite(index:)`` for NaN or infinity, which no client could use or parse.
    static func finish(
        _ raw: UnsafeBufferPointer<Float>, normalize: Bool
    ) throws(InferenceError) -> [Float] {
        if let index = raw.firstIndex(where: { !$0.isFinite }) {
            throw .notFinite(index: index)
        }
        guard normalize else { return Array(raw) }
        // In double precision: squares of float32 neither overflow nor vanish there, and the sum's error stays below
        // the result's last bit.
        let squaredLength = raw.reduce(0.0) { sum, value in sum + Double(value) * Double(value) }
        guard squaredLength > 0 else { return Array(raw) }
        let scale = 1 / squaredLength.squareRoot()
        return raw.map { Float(Double($0) * scale) }
    }
}
