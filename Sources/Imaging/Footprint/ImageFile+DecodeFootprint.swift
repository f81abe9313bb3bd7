extension ImageFile {
    /// The most memory, in bytes, that ``ImagePreparer/prepare(_:preparation:cancellation:)`` allocates for this
    /// picture at any time: what a caller has to reserve before. The file's own bytes are not counted.
    ///
    /// It follows from the header alone and takes microseconds. For pictures that need much it is at most twice what
    /// is really allocated; some kinds need little however large they are, such as a JPEG of a single scan.
    ///
    /// An upper bound for what a decoder allocates for pixels, rows and tables of the announced picture. Not counted
    /// is what a decoder keeps about things that the header doesn't announce: in a lossless WebP, its Huffman tables;
    /// in a TIFF, copies of its profile and XMP.
    public func decodeFootprintBytes(for preparation: Preparation) -> Int {
        let geometry = ResizeGeometry(of: header, preparation: preparation)
        let reduction = JPEGReduction.chosen(for: header, target: geometry, mode: preparation.mode)
        let pipeline = PipelineFootprint(
            header: header, reduction: reduction, geometry: geometry, interpolation: preparation.interpolation)
        let decoder = storage.decoderBytes(width: header.width, height: header.height, reduction: reduction)
        return (pipeline.heldBytes + max(decoder, pipeline.colorSearchBytes)).value
    }
}
