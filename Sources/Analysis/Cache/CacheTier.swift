/// Where a finished analysis may be found.
enum CacheTier: String, CaseIterable {
    case memory
    case file
}
