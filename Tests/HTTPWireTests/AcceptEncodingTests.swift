import HTTPWire
import Testing

@Suite struct AcceptEncodingTests {
    @Test(arguments: [
        "gzip", "GZIP", "x-gzip", "gzip, deflate, br", "br;q=1.0, gzip;q=0.8, *;q=0.1", "*", "gzip;q=0.001",
        "gzip ; Q=1.000", "identity, gzip", "identity;q=0.5, gzip;q=0.5", "identity;q=0, gzip;q=0.1", "br;q=1,*;q=0.3",
        "gzip;q=1,gzip;q=0",
    ])
    func gzipIsPreferred(value: String) {
        #expect(AcceptEncoding([.acceptEncoding: value]).prefersGzip)
    }

    @Test(arguments: [
        "", "identity", "br", "gzip;q=0", "gzip;q=0.000", "*;q=0", "gzip;q=0, *", "identity;q=1, gzip;q=0.5",
        "x-gzip;q=0, *",
        // Malformed weights.
        "gzip;q=", "gzip;q=1.001", "gzip;q=2", "gzip;q=0.1234", "gzip;q=-1", "gzip;q=.5", "gzip;level=9",
        "gzip;q=0x1", "gzip;q", "gzip q=1",
    ])
    func gzipIsNotPreferred(value: String) {
        #expect(!AcceptEncoding([.acceptEncoding: value]).prefersGzip)
    }

    @Test func withoutTheFieldNothingIsPreferred() {
        let accepted = AcceptEncoding([:])
        #expect(!accepted.prefersGzip)
        #expect(!accepted.refusesIdentity)
    }

    @Test(arguments: [
        ("identity;q=0", true), ("*;q=0", true), ("gzip, *;q=0", true), ("identity;q=0.0, gzip", true), ("gzip", false),
        ("*;q=0, identity", false), ("*;q=0, identity;q=0.5", false), ("identity;q=0.001", false), ("*", false),
        ("", false),
    ])
    func identityIsRefusedOnlyExplicitly(value: String, isRefused: Bool) {
        #expect(AcceptEncoding([.acceptEncoding: value]).refusesIdentity == isRefused)
    }

    @Test func severalLinesAreOneList() {
        #expect(AcceptEncoding([.acceptEncoding: "br", .acceptEncoding: "gzip;q=0.5"]).prefersGzip)
    }
}
