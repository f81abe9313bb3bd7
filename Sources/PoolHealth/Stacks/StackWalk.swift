/// Finds the calls on a copied stack: no I/O, nothing but the words and two questions about numbers.
///
/// Every function with a frame pointer leaves a record of two words, the caller's frame and the return address, each
/// linked to the one above. Where the first record is can't be known, since functions of the C library keep none; so
/// the longest chain that starts near the top is taken, and the return addresses before it are listed one by one.
struct StackWalk {
    /// The calls that were found.
    struct Calls: Equatable {
        /// The program counter, then return addresses from the innermost call outwards.
        var frames: [UInt]
        /// Where those begin that are linked to each other; the ones before may be left over from earlier calls.
        var linked: Int
    }

    /// Whether a number is a return address: it points into code, behind a call.
    let isReturnAddress: (UInt) -> Bool
    /// Where the function begins that the call before a return address calls; `nil` if that can't be told.
    var callee: (UInt) -> UInt? = { _ in nil }

    /// How far from the top of the stack, in words, the first record is looked for.
    private static let searchedWords = 1_024
    /// The return addresses before the first record that are listed: a leaf function of the C library calls few.
    private static let maximumLeafFrames = 8
    /// An address is taken to be in the function that begins at most so far before it.
    private static let maximumFunctionLength: UInt = 16_384
    private static let wordSize = UInt(MemoryLayout<UInt>.stride)

    /// - Parameters:
    ///   - words: the stack from the stack pointer on.
    ///   - limit: the most frames.
    func frames(programCounter: UInt, stackPointer: UInt, words: UnsafeBufferPointer<UInt>, limit: Int) -> Calls {
        var frames = [programCounter]
        guard words.count >= 2 else { return Calls(frames: frames, linked: 1) }
        let top = stackPointer + UInt(words.count) * Self.wordSize
        let start = firstRecord(stackPointer, words, top)
        var leaves: [UInt] = []
        for index in 0..<(start ?? min(words.count, Self.searchedWords)) where isReturnAddress(words[index]) {
            leaves.append(words[index])
        }
        // The function with the first record keeps its variables between that and its call: what looks like a return
        // address there is left over from earlier calls.
        if let start, let last = leaves.firstIndex(where: { isInFunction($0, calledBefore: words[start + 1]) }) {
            leaves.removeSubrange((last + 1)...)
        }
        frames += leaves.suffix(Self.maximumLeafFrames)
        let linked = frames.count
        var record = start
        while let index = record, frames.count < limit {
            frames.append(words[index + 1])
            record = next(index, stackPointer, words, top)
            guard let following = record else { break }
            appendUnlinked(words[(index + 2)..<following], outer: words[following + 1], to: &frames)
        }
        return Calls(frames: Array(frames.prefix(limit)), linked: min(linked, limit))
    }

    /// A function that keeps no record hides its caller's return address between two records: a function of a C library
    /// saves the frame pointer beside its own return address, which looks like one. What lies between is believed only
    /// if it is in the function that the outer record's call went to, the one whose record that is; or if it is behind
    /// a call of the function that the inner frame is in.
    private func appendUnlinked(_ between: Slice<UnsafeBufferPointer<UInt>>, outer: UInt, to frames: inout [UInt]) {
        guard let inner = frames.last, !isInFunction(inner, calledBefore: outer) else { return }
        let hidden = between.first { word in
            isReturnAddress(word)
                && (isInFunction(word, calledBefore: outer) || isInFunction(inner, calledBefore: word))
        }
        if let hidden { frames.append(hidden) }
    }

    private func isInFunction(_ address: UInt, calledBefore returnAddress: UInt) -> Bool {
        guard let start = callee(returnAddress), start < address else { return false }
        return address - start <= Self.maximumFunctionLength
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
