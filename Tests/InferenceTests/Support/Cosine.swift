/// The cosine of the angle between two vectors.
func cosine(_ one: [Double], _ other: [Double]) -> Double {
    var (product, oneSquared, otherSquared) = (0.0, 0.0, 0.0)
    for (a, b) in zip(one, other) {
        product += a * b
        oneSquared += a * a
        otherSquared += b * b
    }
    return product / (oneSquared * otherSquared).squareRoot()
}
