/// Tells a return address from any other number that happens to point into code: a call instruction stands before it.
enum CallSite {
    /// The eight bytes before an address.
    struct Bytes {
        private let littleEndian: UInt64

        init(littleEndian: UInt64) {
            self.littleEndian = littleEndian
        }

        /// The byte so many before the address, 1 to 8.
        subscript(distance: Int) -> UInt8 {
            UInt8(truncatingIfNeeded: littleEndian >> UInt64((8 - distance) * 8))
        }

        /// The last four bytes as one little-endian instruction.
        var lastInstruction: UInt32 { UInt32(truncatingIfNeeded: littleEndian >> 32) }
    }

    /// `call rel32` (E8), or `call r/m64` (FF /2) with no, a one-byte or a four-byte displacement, with or without an
    /// index byte and a REX prefix (Intel SDM, volume 2, CALL).
    static func endsWithX86Call(_ bytes: Bytes) -> Bool {
        if bytes[5] == 0xE8 { return true }
        // The ModRM byte follows FF; its middle bits are 2.
        for distance in [2, 3, 4, 6, 7] where bytes[distance] == 0xFF && (bytes[distance - 1] >> 3) & 7 == 2 {
            return true
        }
        return false
    }

    /// `BL`, `BLR` or one of the authenticated forms of `BLR` (Arm ARM, C4.1.66).
    static func endsWithARMCall(_ bytes: Bytes) -> Bool {
        let instruction = bytes.lastInstruction
        let isBranchWithLink = instruction & 0xFC00_0000 == 0x9400_0000
        let isBranchToRegister = instruction & 0xFEFF_F000 == 0xD63F_0000
        return isBranchWithLink || isBranchToRegister
    }

    /// What the call before `returnAddress` calls; `nil` if that is in a register or in memory.
    static func target(of bytes: Bytes, returnAddress: UInt) -> UInt? {
        #if arch(arm64)
            let instruction = bytes.lastInstruction
            guard instruction & 0xFC00_0000 == 0x9400_0000 else { return nil }
            // 26 bits of words, signed, from the instruction itself.
            let offset = Int(Int32(bitPattern: instruction << 6) >> 6) * 4
            return returnAddress &- 4 &+ UInt(bitPattern: offset)
        #else
            guard bytes[5] == 0xE8 else { return nil }
            let offset = Int(Int32(bitPattern: bytes.lastInstruction))
            return returnAddress &+ UInt(bitPattern: offset)
        #endif
    }

    static func endsWithCall(_ bytes: Bytes) -> Bool {
        #if arch(arm64)
            endsWithARMCall(bytes)
        #else
            endsWithX86Call(bytes)
        #endif
    }
}
