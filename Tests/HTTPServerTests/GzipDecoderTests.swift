import TestSupport
import Testing

@testable import HTTPServer

@Suite struct GzipDecoderTests {
    private static let text = "Hello, gzip! Hello, gzip! Hello, gzip!\n"

    /// Made by Python's gzip module: `gzip.compress(text, 9, mtime=0)`.
    static let python = bytes(
        hex: "1f8b0800000000000203f348cdc9c9d75148afca2c5054f0c0c5e10200c0be59a927000000")
    /// Made by `gzip -cn`.
    static let command = bytes(
        hex: "1f8b0800000000000003f348cdc9c9d75148afca2c5054f0c0c5e10200c0be59a927000000")
    /// The same with every optional part that a header may have: extra field, name, comment and header checksum.
    static let everyHeaderPart = bytes(
        hex: """
            1f8b081e00e1f50502030400414200006e616d652e747874006120636f6d6d656e74005c10f348cdc9c9d75148afca2c5054f0c0c5e10200c0be\
            59a927000000
            """)
    /// Made by Python's gzip module from `stored` at level 0, and from nothing.
    static let stored = bytes(hex: "1f8b0800000000000403010600f9ff73746f7265640bf9435606000000")
    static let empty = bytes(hex: "1f8b080000000000020303000000000000000000")

    static let inputs: [([UInt8], String)] = [
        (python, text), (command, text), (everyHeaderPart, text), (stored, "stored"), (empty, ""), ([], ""),
        (python + stored, text + "stored"), (empty + empty + command, text),
    ]

    @Test(arguments: inputs)
    func inflatesHoweverTheInputIsCut(input: [UInt8], expected: String) {
        for outputLimit in [1, 7, 1024] {
            #expect(inflated(input.map { [$0] }, outputLimit: outputLimit).text == expected)
            for position in 0...input.count {
                let outcome = inflated(
                    [Array(input[..<position]), Array(input[position...])], inputLimit: 1 + position % 7,
                    outputLimit: outputLimit)
                #expect(outcome.error == nil)
                #expect(outcome.text == expected)
                #expect(outcome.largestPiece <= outputLimit)
            }
        }
    }

    @Test func refusesEveryTruncation() {
        for input in [Self.python, Self.everyHeaderPart, Self.stored] {
            for length in 1..<input.count {
                #expect(inflated([Array(input[..<length])]).error == .truncated, "\(length)")
                #expect(inflated([Self.empty + input[..<length]]).error == .truncated, "\(length)")
            }
        }
    }

    @Test func refusesEveryDamagedByteThatMatters() {
        // Time, extra flags and operating system (RFC 1952 section 2.3.1) say nothing about the content.
        let meaningless = 4...9
        for index in Self.python.indices where !meaningless.contains(index) {
            var damaged = Self.python
            damaged[index] ^= 0xFF
            #expect(inflated([damaged]).error != nil, "\(index)")
            #expect(inflated(damaged.map { [$0] }).error == inflated([damaged]).error, "\(index)")
        }
    }

    static let garbage: [[UInt8]] = [[0], [0x0A], Array("garbage".utf8)]

    @Test(arguments: garbage)
    func refusesWhatIsNoMemberBehindOne(rest: [UInt8]) {
        #expect(inflated([Self.python + rest]).error == .trailingBytes)
        #expect(inflated([Self.python, rest]).error == .trailingBytes)
    }

    @Test func refusesOtherFormats() {
        // zlib (RFC 1950), bare deflate, a JPEG, text.
        for start in ["789c4b04", "4b04", "ffd8ffe0", "68656c6c6f"] {
            #expect(inflated([bytes(hex: start)]).error == .corrupt, "\(start)")
        }
        #expect(inflated([bytes(hex: "1f8c0800")]).error == .corrupt)
        #expect(inflated([bytes(hex: "1f8b0700")]).error == .corrupt)
    }

    @Test func damagedInputMeansTheSameHoweverItIsCut() {
        var generator = SeededGenerator(seed: 1)
        let seeds = [Self.python, Self.everyHeaderPart, Self.stored + Self.empty, Self.python + Self.command]
        for round in 0..<2000 {
            var input = seeds[round % seeds.count]
            for _ in 0...Int.random(in: 0..<3, using: &generator) {
                let index = Int.random(in: input.indices, using: &generator)
                switch Int.random(in: 0..<3, using: &generator) {
                case 0: input[index] = .random(in: 0...255, using: &generator)
                case 1: input.insert(.random(in: 0...255, using: &generator), at: index)
                default: input.remove(at: index)
                }
            }
            let whole = inflated([input])
            let cut = inflated(input.map { [$0] })
            #expect(cut.error == whole.error, "\(input)")
            #expect(cut.error != nil || cut.content == whole.content, "\(input)")
        }
    }

    @Test func oneStepTakesABoundedPartOfTheInput() throws {
        let members = repeated(Self.empty, count: 10)
        var decoder = GzipDecoder(inputLimit: 1024, outputLimit: 1024)
        var position = 0
        for number in 1...10 {
            #expect(try decoder.next(members, from: &position) == [])
            #expect(position == number * Self.empty.count)
        }
        // Empty stored blocks (RFC 1951 section 3.2.4), any number of them in one member.
        let header = Array(Self.empty.prefix(10))
        let blocks = header + repeated([0, 0, 0, 0xFF, 0xFF], count: 1000)
        var other = GzipDecoder(inputLimit: 100, outputLimit: 1024)
        position = 0
        for step in 1...10 {
            #expect(try other.next(blocks, from: &position) == [])
            #expect(position == step * 100)
        }
    }

    @Test(arguments: try FuzzCorpus.inputs(of: "gzip"))
    func whatIsKeptForTheFuzzerMeansTheSameHoweverItIsCut(input: FuzzCorpus.Input) {
        let whole = inflated([input.bytes])
        for (inputLimit, outputLimit) in [(1, 7), (5, 1), (256, 4096)] {
            let cut = inflated(input.bytes.map { [$0] }, inputLimit: inputLimit, outputLimit: outputLimit)
            #expect(cut.error == whole.error)
            #expect(cut.error != nil || cut.content == whole.content)
            #expect(cut.largestPiece <= outputLimit)
        }
    }

    @Test func aBombComesInBoundedPieces() {
        let bomb = gzipped([UInt8](repeating: 0, count: 4 << 20))
        #expect(bomb.count < 8192)
        let outcome = inflated([bomb], outputLimit: 65_536)
        #expect(outcome.content.count == 4 << 20)
        #expect(outcome.largestPiece == 65_536)
    }
}
