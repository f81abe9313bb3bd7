extension ImageFile {
    public func decodeFootprintBytes(for preparation: Preparation) -> Int { 1_000_000 }
}
