/// All that is known of a picture before it is decoded.
struct HeaderAnnouncement: Hashable {
    let header: ImageHeader
    let storage: PixelStorage
}
