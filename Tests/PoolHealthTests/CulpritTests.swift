import Testing

@testable import PoolHealth

@Suite struct CulpritTests {
    private func frame(_ function: String, line: Int? = nil, image: String = "server") -> Frame {
        Frame(function: function, file: line.map { _ in "Main.swift" }, line: line, image: image)
    }

    @Test func theSiteIsTheInnermostCallOfTheProgram() {
        let frames = [
            frame("read", image: "libc.so.6"), frame("_dispatch_wait"), frame("load(_:)", line: 14),
            frame("handle(_:)", line: 7),
        ]
        #expect(Culprit.site(of: frames) == "load(_:) Main.swift:14")
    }

    @Test func withoutLinesAFunctionOfTheProgramIsNamed() {
        #expect(Culprit.site(of: [frame("read", image: "libc.so.6"), frame("load(_:)")]) == "load(_:)")
        #expect(Culprit.site(of: [frame("read", image: "libc.so.6")]) == "read")
        #expect(Culprit.site(of: []) == "unknown")
    }

    @Test func threadsInOnePlaceAreOneCulprit() {
        let here = (wait: WaitKind?.some(.futex), frames: [frame("a()", line: 1)])
        let there = (wait: WaitKind?.some(.sleep), frames: [frame("b()", line: 2)])
        let culprits = Culprit.group([there, here, here])
        #expect(culprits.map(\.site) == ["a() Main.swift:1", "b() Main.swift:2"])
        #expect(culprits.map(\.threads) == [2, 1])
    }
}
