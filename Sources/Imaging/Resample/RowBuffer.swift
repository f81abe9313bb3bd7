/// Memory of a fixed size for the C kernels and decoders, which keep no Swift array alive.
///
/// Invariant: `start` points to `count` initialised elements from init to deinit. The elements are trivial values.
final class RowBuffer<Element: BitwiseCopyable & ExpressibleByIntegerLiteral> {
    let start: UnsafeMutablePointer<Element>
    let count: Int

    /// All elements are zero.
    init(count: Int) {
        start = .allocate(capacity: count)
        start.initialize(repeating: 0, count: count)
        self.count = count
    }

    deinit { start.deallocate() }

    var elements: UnsafeMutableBufferPointer<Element> { UnsafeMutableBufferPointer(start: start, count: count) }
}
