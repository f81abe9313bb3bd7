import Glibc

/// A moment of civil time, in milliseconds since 1970 without leap seconds, and its text in UTC.
struct Timestamp: Sendable, Equatable {
    let millisecondsSince1970: Int64

    static func now() -> Timestamp {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Timestamp(millisecondsSince1970: Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000)
    }

    /// `2026-11-30T14:03:21.123Z` (RFC 3339, section 5.6).
    func appendDateAndTime(to line: inout [UInt8]) {
        var seconds = time_t(wholeSeconds)
        var civil = tm()
        gmtime_r(&seconds, &civil)
        Self.append(Int(civil.tm_year) + 1900, digits: 4, to: &line)
        line.append(UInt8(ascii: "-"))
        Self.append(Int(civil.tm_mon) + 1, digits: 2, to: &line)
        line.append(UInt8(ascii: "-"))
        Self.append(Int(civil.tm_mday), digits: 2, to: &line)
        line.append(UInt8(ascii: "T"))
        appendTimeOfDay(to: &line)
        line.append(UInt8(ascii: "Z"))
    }

    /// `14:03:21.123`
    func appendTimeOfDay(to line: inout [UInt8]) {
        let secondsPerDay: Int64 = 86_400
        let second = Int(Self.floorModulo(wholeSeconds, secondsPerDay))
        Self.append(second / 3600, digits: 2, to: &line)
        line.append(UInt8(ascii: ":"))
        Self.append(second / 60 % 60, digits: 2, to: &line)
        line.append(UInt8(ascii: ":"))
        Self.append(second % 60, digits: 2, to: &line)
        line.append(UInt8(ascii: "."))
        Self.append(Int(Self.floorModulo(millisecondsSince1970, 1000)), digits: 3, to: &line)
    }

    private var wholeSeconds: Int64 {
        (millisecondsSince1970 - Self.floorModulo(millisecondsSince1970, 1000)) / 1000
    }

    /// The remainder that is never negative, so that moments before 1970 come out right.
    private static func floorModulo(_ value: Int64, _ divisor: Int64) -> Int64 {
        let remainder = value % divisor
        return remainder < 0 ? remainder + divisor : remainder
    }

    private static func append(_ number: Int, digits: Int, to line: inout [UInt8]) {
        var divisor = 1
        for _ in 1..<digits { divisor *= 10 }
        while divisor > 0 {
            line.append(UInt8(ascii: "0") + UInt8(number / divisor % 10))
            divisor /= 10
        }
    }
}
