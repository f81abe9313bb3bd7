import HTTPWire
import Testing

@Suite struct HTTPFieldsTests {
    @Test func keepsOrderAndSpellingAndComparesWithoutCase() {
        var fields: HTTPFields = ["X-One": "1", "x-two": "2"]
        fields.append("X-ONE", "3")
        #expect(fields["x-one"] == "1")
        #expect(fields.values("X-One") == ["1", "3"])
        #expect(fields.pairs.map(\.name) == ["X-One", "x-two", "X-ONE"])
        #expect(fields.count("x-one") == 2)
        fields.set("x-One", "4")
        #expect(fields.pairs.map(\.name) == ["x-two", "x-One"])
        fields.remove("X-TWO")
        #expect(fields.count == 1)
        #expect(!fields.contains("x-two"))
    }

    @Test func aValueCannotEndItsLine() {
        var fields = HTTPFields()
        fields.append("X", "a\r\nSet-Cookie: b\u{0}\u{7F}")
        #expect(fields["X"] == "a  Set-Cookie: b  ")
    }

    @Test(arguments: ["", "a b", "a:", "a\r\n", "é", "a\u{0}"])
    func aNameConsistsOfTokenCharacters(name: String) {
        #expect(HTTPFieldName(name) == nil)
    }

    @Test func namesAreEqualWithoutCase() {
        #expect(HTTPFieldName("Content-Type") == .contentType)
        #expect(Set<HTTPFieldName>(["a-B", "A-b"]).count == 1)
    }

    @Test func cutsListsOverAllLines() {
        let fields: HTTPFields = ["Connection": " a ,, b", "connection": "c", "Accept": ""]
        #expect(fields.listElements(.connection) == ["a", "b", "c"])
        #expect(fields.listElements(.accept) == [])
        #expect(fields.listElements(.host) == [])
    }

    @Test func equalityIgnoresTheCaseOfNamesOnly() {
        #expect(["A": "x"] as HTTPFields == ["a": "x"])
        #expect(["A": "x"] as HTTPFields != ["a": "X"])
        #expect(["A": "1", "B": "2"] as HTTPFields != ["B": "2", "A": "1"])
    }
}
