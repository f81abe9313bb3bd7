import Testing

@testable import PoolHealth

@Suite struct StackWalkTests {
    private static let stackPointer: UInt = 0x7000_0000
    /// Numbers that are return addresses.
    private static let code: ClosedRange<UInt> = 0x1000...0x1FFF

    private func frames(_ words: [UInt], limit: Int = 64) -> [UInt] {
        words.withUnsafeBufferPointer { words in
            StackWalk { Self.code.contains($0) }.frames(
                programCounter: 0x1FFF, stackPointer: Self.stackPointer, words: words, limit: limit
            ).frames
        }
    }

    private func at(_ index: Int) -> UInt { Self.stackPointer + UInt(index) * 8 }

    @Test func followsTheFramePointers() {
        // Two leaf calls without a frame pointer, then three records.
        let words: [UInt] = [7, 0x1001, 0, 0x1002, at(7), 0x1003, 9, at(9), 0x1004, 0, 0x1005]
        #expect(frames(words) == [0x1FFF, 0x1001, 0x1002, 0x1003, 0x1004, 0x1005])
    }

    @Test func aLongerChainWinsOverAnOldRecord() {
        // At 0 there is a record left over from a call that has returned; its link leads nowhere.
        let words: [UInt] = [at(40), 0x1100, 0, at(5), 0x1001, at(7), 0x1002, 0, 0x1003]
        #expect(frames(words) == [0x1FFF, 0x1100, 0x1001, 0x1002, 0x1003])
    }

    @Test func linksThatLeadDownOutOrAskewEndTheChain() {
        for link: UInt in [at(0), at(1), Self.stackPointer - 8, at(100), at(5) + 1, .max] {
            #expect(frames([0, link, 0x1001, 0, 0, 0, 0x1002]).prefix(2) == [0x1FFF, 0x1001])
        }
    }

    /// The call before 0x1002 went to the function at 0x1200.
    private func callsWithCallee(_ words: [UInt]) -> StackWalk.Calls {
        words.withUnsafeBufferPointer { words in
            StackWalk(
                isReturnAddress: { Self.code.contains($0) }, callee: { $0 == 0x1002 ? 0x1200 : nil }
            ).frames(programCounter: 0x1FFF, stackPointer: Self.stackPointer, words: words, limit: 64)
        }
    }

    @Test func findsTheCallerOfAFunctionWithoutARecord() {
        // 0x1001 was called in 0x1210, whose record is at 6; 0x1220 was left over in its variables.
        let calls = callsWithCallee([at(6), 0x1001, 0x1100, 0x1210, 0x1220, 9, 0, 0x1002])
        #expect(calls == StackWalk.Calls(frames: [0x1FFF, 0x1001, 0x1210, 0x1002], linked: 1))
    }

    @Test func leavesOutWhatIsLeftOverInAFunctionsVariables() {
        let calls = callsWithCallee([0x1100, 0x1210, 0x1220, 0x1130, at(6), 0x1002, 0, 0x1003])
        #expect(calls == StackWalk.Calls(frames: [0x1FFF, 0x1100, 0x1210, 0x1002, 0x1003], linked: 3))
    }

    @Test func readsTheTargetsOfCalls() {
        #if arch(x86_64)
            #expect(CallSite.target(of: bytes([0xE8, 0x10, 0, 0, 0]), returnAddress: 0x1000) == 0x1010)
            #expect(CallSite.target(of: bytes([0xE8, 0xF0, 0xFF, 0xFF, 0xFF]), returnAddress: 0x1000) == 0xFF0)
            #expect(CallSite.target(of: bytes([0xFF, 0xD0]), returnAddress: 0x1000) == nil)
        #endif
    }

    @Test func stopsAtTheLimit() {
        let words = (0..<200).flatMap { index -> [UInt] in [at(index * 2 + 2), 0x1000 + UInt(index)] }
        #expect(frames(words, limit: 10).count == 10)
    }

    @Test func anEmptyOrRandomStackHasOnlyItsProgramCounter() {
        #expect(frames([]) == [0x1FFF])
        #expect(frames([1]) == [0x1FFF])
        #expect(frames([UInt](repeating: 0x7fff_ffff_ffff, count: 5000)) == [0x1FFF])
    }

    @Test(
        arguments: [
            // call rel32; call rax; call r11; call [rax]; call [rax+8]; call [rip+disp32]; call [rsp+8]; call
            // [r12+disp32]
            [0xE8, 1, 2, 3, 4], [0xFF, 0xD0], [0x41, 0xFF, 0xD3], [0xFF, 0x10], [0xFF, 0x50, 0x08],
            [0xFF, 0x15, 1, 2, 3, 4], [0xFF, 0x54, 0x24, 0x08], [0x41, 0xFF, 0x94, 0x24, 1, 2, 3, 4],
        ] as [[UInt8]])
    func recognisesCallsOfX86(_ instruction: [UInt8]) {
        #expect(CallSite.endsWithX86Call(bytes(instruction)))
    }

    @Test(
        arguments: [
            // jmp rel32; jmp rax; push [rax]; mov eax, imm32; ret and padding
            [0xE9, 1, 2, 3, 4], [0xFF, 0xE0], [0xFF, 0x30], [0xB8, 1, 2, 3, 4], [0xC3, 0x90, 0x90],
        ] as [[UInt8]])
    func refusesOtherInstructionsOfX86(_ instruction: [UInt8]) {
        #expect(!CallSite.endsWithX86Call(bytes(instruction)))
    }

    @Test func recognisesCallsOfARM() {
        // bl +0x10; blr x8; blraaz x8
        for instruction: UInt32 in [0x9400_0004, 0xD63F_0100, 0xD63F_091F] {
            #expect(CallSite.endsWithARMCall(CallSite.Bytes(littleEndian: UInt64(instruction) << 32)))
        }
        // b +0x10; br x8; ret; nop
        for instruction: UInt32 in [0x1400_0004, 0xD61F_0100, 0xD65F_03C0, 0xD503_201F] {
            #expect(!CallSite.endsWithARMCall(CallSite.Bytes(littleEndian: UInt64(instruction) << 32)))
        }
    }

    private func bytes(_ instruction: [UInt8]) -> CallSite.Bytes {
        let padded = [UInt8](repeating: 0x90, count: 8 - instruction.count) + instruction
        return CallSite.Bytes(littleEndian: padded.reversed().reduce(0) { $0 << 8 | UInt64($1) })
    }
}
