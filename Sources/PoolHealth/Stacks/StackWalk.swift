/// Finds the calls on a copied stack: no I/O, nothing but the words and two questions about numbers.
///
/// Every function with a frame pointer leaves a record of two words, the caller's frame and the return address, each
/// linked to the one above. Where the first record is can't be known, since functions of the C library keep none; so
/// the longest chain that starts near the top is taken, and the return addresses before it are listed one by one.
struct StackWalk {
    /// Whether a number is a return address: it points into code, behind a call.
    let isReturnAddress: (UInt) -> Bool

    /// How far from the top of the stack, in words, the first record is looked for.
    private static let searchedWords = 1_024
    /// The return addresses before the first record that are listed: a leaf function of the C library calls few.
    private static let maximumLeafFrames = 8
    private static let wordSize = UInt(MemoryLayout<UInt>.stride)

    /// The program counter, then return addresses from the innermost call outwards.
    ///
    /// - Parameters:
    ///   - words: the stack from the stack pointer on.
    ///   - limit: the most frames.
    func frames(programCounter: UInt, stackPointer: UInt, words: UnsafeBufferPointer<UInt>, limit: Int) -> [UInt] {
        var frames = [programCounter]
        guard words.count >= 2 else { return frames }
        let top = stackPointer + UInt(words.count) * Self.wordSize
        let start = firstRecord(stackPointer, words, top)
        var leaves: [UInt] = []
        for index in 0..<(start ?? min(words.count, Self.searchedWords)) where isReturnAddress(words[index]) {
            leaves.append(words[index])
        }
        // Those nearest to the chain are the likeliest: what lies above may be left over from earlier calls.
        frames += leaves.suffix(Self.maximumLeafFrames)
        var record = start
        while let index = record, frames.count < limit {
            frames.append(words[index + 1])
            record = next(index, stackPointer, words, top)
        }
        return Array(frames.prefix(limit))
    }

    private func firstRecord(_ stackPointer: UInt, _ words: UnsafeBufferPointer<UInt>, _ top: UInt) -> Int? {
        var best: Int?
        var bestLength = 0
        for index in 0..<min(words.count - 1, Self.searchedWords) {
            let length = chainLength(index, stackPointer, words, top)
            if length > bestLength {
                best = index
                bestLength = length
            }
        }
        return best
    }

    private func chainLength(
        _ start: Int, _ stackPointer: UInt, _ words: UnsafeBufferPointer<UInt>, _ top: UInt
    ) -> Int {
        guard isReturnAddress(words[start + 1]) else { return 0 }
        var length = 1
        var index = start
        while let following = next(index, stackPointer, words, top) {
            length += 1
            index = following
        }
        return length
    }

    /// The record that one at `index` links to: further up the stack, aligned, and with a return address.
    private func next(
        _ index: Int, _ stackPointer: UInt, _ words: UnsafeBufferPointer<UInt>, _ top: UInt
    ) -> Int? {
        let frame = words[index]
        guard frame > stackPointer + UInt(index) * Self.wordSize, frame < top, frame % Self.wordSize == 0 else {
            return nil
        }
        let following = Int((frame - stackPointer) / Self.wordSize)
        guard following + 1 < words.count, isReturnAddress(words[following + 1]) else { return nil }
        return following
    }
}
