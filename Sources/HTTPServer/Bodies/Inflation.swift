/// What the inflating of a body has to keep to, and who hears of it.
struct Inflation: Sendable {
    /// Most bytes of content.
    var limit: Int
    /// Whether the memory for one piece counts as held together with the compressed bytes. Then only pieces that are
    /// kept have to be admitted, and any other one is made without waiting.
    var holdsPiece = false
    /// Suspends until so many bytes of content may be made, and counts them.
    var admit: @Sendable (Int) async throws -> Void = { _ in }
    /// Gives back what was admitted: it wasn't needed, or the reader is done with it.
    var release: @Sendable (Int) -> Void = { _ in }
    /// Hears the slug of what was wrong with the body, once.
    var onRefusal: @Sendable (String) -> Void = { _ in }
}
