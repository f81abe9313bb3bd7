import Foundation
import Testing

@testable import Telemetry

struct LogLineTests {
    private func line(
        _ format: LogFormat, event: String = "request", level: LogLevel = .info, time: Int64 = 1_796_047_401_123,
        fields: LogFields = [:]
    ) -> String {
        var bytes: [UInt8] = []
        let record = LogRecord(
            time: Timestamp(millisecondsSince1970: time), level: level, event: event, fields: fields)
        LogLine.append(record, format: format, to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    @Test func jsonLineKeepsTheOrderOfItsFields() {
        let fields: LogFields = [
            "status": 200, "duration_ms": 12.5, "cached": true, "path": "/v1/embed", "warnings": ["a", "b\""],
            "ratio": .double(.nan), "none": [],
        ]
        #expect(
            line(.json, fields: fields)
                == #"{"time":"2026-11-30T14:03:21.123Z","level":"info","event":"request","status":200,"#
                + #""duration_ms":12.5,"cached":true,"path":"/v1/embed","warnings":["a","b\""],"ratio":"NaN","none":[]}"#
                + "\n")
    }

    @Test func textLineIsAligned() {
        #expect(
            line(.text, fields: ["status": 200, "duration_ms": 12.3, "names": ["a", "b c"]])
                == "14:03:21.123 info    request          status=200 duration_ms=12.3 names=[a,\"b c\"]\n")
        #expect(line(.text, event: "stopped", level: .warning) == "14:03:21.123 warning stopped\n")
    }

    @Test func textQuotesWhatCouldBeTakenForSomethingElse() {
        let fields: LogFields = [
            "empty": "", "space": "a b", "pair": "a=b", "quote": "a\"b", "plain": "grüße/1.5", "list": ["", "a,b"],
        ]
        #expect(
            line(.text, event: "x", fields: fields).hasSuffix(
                #" empty="" space="a b" pair="a=b" quote="a\"b" plain=grüße/1.5 list=["","a,b"]"# + "\n"))
    }

    /// Everything that ends a line, moves a cursor, or reorders or hides text.
    private static let hostile =
        "\u{0}\u{1B}[2J\r\n{\"level\":\"error\"}\u{7F}\u{85}\u{9B}31m\u{2028}\u{2029}\u{202E}\u{200B}\u{FEFF}\u{E0041}\u{8}\t\\"

    @Test(arguments: LogFormat.allCases)
    func nothingThatAClientSendsLeavesItsField(format: LogFormat) {
        let text = line(
            format, event: Self.hostile,
            fields: ["value": .string(Self.hostile), "list": .strings([Self.hostile]), "\(Self.hostile)": 1])
        let unwanted: Set<Unicode.GeneralCategory> = [.control, .format, .lineSeparator, .paragraphSeparator]
        #expect(text.unicodeScalars.filter { unwanted.contains($0.properties.generalCategory) }.map(\.value) == [0x0A])
        #expect(text.hasSuffix("\n"))
    }

    @Test func aJSONReaderGetsTheVeryTextBack() throws {
        let text = line(.json, event: Self.hostile, fields: ["emoji": "👩‍👩‍👧 \u{10FFFF}", "value": .string(Self.hostile)])
        let object = try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
        #expect(object["event"] as? String == Self.hostile)
        #expect(object["value"] as? String == Self.hostile)
        #expect(object["emoji"] as? String == "👩‍👩‍👧 \u{10FFFF}")
    }

    /// Expected texts from `date -u -d @SECONDS`.
    @Test(arguments: [
        (0, "1970-01-01T00:00:00.000Z"), (951_782_400_007, "2000-02-29T00:00:00.007Z"),
        (4_102_444_799_999, "2099-12-31T23:59:59.999Z"), (-1, "1969-12-31T23:59:59.999Z"),
    ])
    func timesAreRFC3339(milliseconds: Int64, expected: String) {
        #expect(line(.json, time: milliseconds).hasPrefix(#"{"time":"\#(expected)","#))
        let timeOfDay = expected.dropFirst("1970-01-01T".count).dropLast()
        #expect(line(.text, time: milliseconds).hasPrefix("\(timeOfDay) "))
    }

    @Test func aDurationInMillisecondsHasThreeDecimalsAtMost() {
        #expect(LogValue.milliseconds(.nanoseconds(12_345_678)) == .double(12.346))
        #expect(LogValue.milliseconds(.seconds(30)) == .double(30_000))
    }

    @Test func fieldsAreExtendedAtTheEnd() {
        var fields: LogFields = ["a": 1]
        fields.append("b", "x")
        #expect(fields == ["a": 1, "b": "x"])
    }
}
