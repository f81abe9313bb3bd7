import Analysis

extension AdmissionLimits {
    /// Limits under which no image waits for too long, however busy the machine is.
    static func patient(images: Int = 256) -> AdmissionLimits {
        AdmissionLimits(images: images, timeout: .seconds(3600))
    }
}
