import HTTPWire
import TestSupport
import Testing

/// The inputs that are kept for the fuzzers, in every way to cut them: what the parsers make of them must not depend on
/// the way. As in the fuzzers, the first byte chooses limits, and the second is left to them.
@Suite struct FuzzCorpusTests {
    @Test(arguments: try FuzzCorpus.inputs(of: "request"))
    func requestsMeanTheSameHoweverTheyAreCut(input: FuzzCorpus.Input) {
        let limits =
            input.choice & 1 == 0
            ? RequestLimits() : RequestLimits(requestLineBytes: 24, fieldSectionBytes: 64, fieldCount: 3)
        let whole = parse([input.bytes], limits: limits)
        #expect(!whole.heads.isEmpty || whole.error != nil)
        for split in everySplit(of: input.bytes) {
            #expect(parse(split, limits: limits) == whole)
        }
    }

    @Test(arguments: try FuzzCorpus.inputs(of: "chunked"))
    func chunkedBodiesMeanTheSameHoweverTheyAreCut(input: FuzzCorpus.Input) {
        let limit = input.choice & 1 == 0 ? 1 << 20 : Int(input.choice)
        let whole = decode([input.bytes], limit: limit)
        #expect(whole.data.count <= limit)
        for split in everySplit(of: input.bytes) {
            #expect(decode(split, limit: limit) == whole)
        }
    }

    @Test(arguments: try FuzzCorpus.inputs(of: "multipart"))
    func formsMeanTheSameHoweverTheyAreCut(input: FuzzCorpus.Input) {
        let limits =
            input.choice & 1 == 0
            ? MultipartLimits() : MultipartLimits(maximumParts: 2, maximumHeaderBytes: 80, maximumPaddingBytes: 2)
        let harness = MultipartHarness(boundary: input.choice & 2 == 0 ? "X" : "-boundary-", limits: limits)
        let whole = try? harness.parts(pieces: [input.bytes[...]])
        for split in everySplit(of: input.bytes) {
            let pieces = split.map { $0[...] }
            #expect((try? harness.parts(pieces: pieces)) == whole)
            #expect(harness.error(pieces: pieces) == harness.error(pieces: [input.bytes[...]]))
        }
    }

    @Test(arguments: try FuzzCorpus.inputs(of: "header"))
    func whatAHeaderHoldsKeepsItsPromises(input: FuzzCorpus.Input) {
        let text = String(decoding: input.bytes, as: UTF8.self)
        if let type = MediaType(text) {
            #expect(MediaType(type.essence)?.essence == type.essence)
        }
        if let target = RequestTarget(text, method: .get) {
            #expect(target.rawPath.utf8.first == UInt8(ascii: "/"))
            // A slash and a combining mark behind it are one character to Swift, and two to everybody else.
            #expect(target.pathSegments.joined(separator: "/").utf8.elementsEqual(target.path.utf8.dropFirst()))
        }
        var fields = HTTPFields()
        fields.append(.accept, text)
        #expect(fields.listElements(.accept).allSatisfy { !$0.isEmpty && !$0.utf8.contains(UInt8(ascii: ",")) })
    }
}
