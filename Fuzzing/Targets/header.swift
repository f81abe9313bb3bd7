/// Values of header fields and request targets: what was accepted keeps its promises.
@_cdecl("LLVMFuzzerTestOneInput")
func fuzz(_ data: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    guard let input = FuzzInput(data, count) else { return 0 }
    let text = String(decoding: input.bytes, as: UTF8.self)
    checkMediaType(text)
    checkParameters(input.bytes)
    checkTarget(text)
    checkFields(text, splitAt: input.cut)
    _ = FormEncoding.decodeBrowserEscapes(text)
    _ = FormEncoding.decodeExtendedValue(text)
    return 0
}

private func checkMediaType(_ text: String) {
    guard let type = MediaType(text) else { return }
    precondition(!type.type.isEmpty && !type.subtype.isEmpty)
    precondition(MediaType(type.essence)?.essence == type.essence)
    precondition(Set(type.parameters.map(\.name)).count == type.parameters.count)
    for parameter in type.parameters {
        precondition(type[parameter: parameter.name.uppercased()] == parameter.value)
    }
}

private func checkParameters(_ bytes: [UInt8]) {
    for backslash in [HeaderParameters.Backslash.escapesAnything, .escapesQuoteAndItself] {
        for parameter in HeaderParameters.parse(bytes[...], backslash: backslash) ?? [] {
            precondition(!parameter.name.isEmpty && parameter.name == parameter.name.lowercased())
        }
    }
}

private func checkTarget(_ text: String) {
    for method in [HTTPMethod.get, .options, .connect] {
        guard let target = RequestTarget(text, method: method) else { continue }
        precondition(!target.path.utf8.contains(0))
        precondition(target.queryItems.allSatisfy { !$0.name.utf8.contains(0) && !$0.value.utf8.contains(0) })
        if target.form == .origin || target.form == .absolute {
            precondition(target.rawPath.utf8.first == UInt8(ascii: "/"))
            // A slash and a combining mark behind it are one character to Swift, and two to everybody else.
            precondition(target.pathSegments.joined(separator: "/").utf8.elementsEqual(target.path.utf8.dropFirst()))
        }
        if target.form == .origin {
            let again = RequestTarget(target.rawPath + (target.rawQuery.map { "?" + $0 } ?? ""), method: method)
            precondition(again == target)
        }
    }
}

private func checkFields(_ text: String, splitAt cut: Int) {
    var fields = HTTPFields()
    fields.append(.accept, text)
    fields.append("accept", String(decoding: Array(text.utf8.prefix(cut)), as: UTF8.self))
    for element in fields.listElements(.accept) {
        precondition(!element.isEmpty && !element.utf8.contains(UInt8(ascii: ",")))
    }
    var encoded: [UInt8] = []
    fields.encode(into: &encoded, omitting: [])
    // Two lines, whatever the values hold.
    precondition(encoded.count { $0 == 13 } == 2 && encoded.count { $0 == 10 } == 2)
}
