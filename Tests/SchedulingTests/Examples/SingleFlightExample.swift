import Scheduling

/// Thumbnails that are rendered once for all who ask for the same one meanwhile.
struct Thumbnails {
    struct Size: Hashable, Sendable {
        let path: String
        let width: Int
    }

    let flight = SingleFlight<Size, [UInt8]>()
    let render: @Sendable (Size) async throws -> [UInt8]

    func thumbnail(path: String, width: Int) async throws -> [UInt8] {
        let size = Size(path: path, width: width)
        let outcome = try await flight.run(size) { [render] in try await render(size) }
        return outcome.value
    }
}
