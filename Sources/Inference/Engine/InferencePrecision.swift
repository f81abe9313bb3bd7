/// The number format of a network's arithmetic.
///
/// It is never left to the machine: where the processor has fast bfloat16 units, OpenVINO would take those, and vectors
/// would depend on the host they were computed on.
public enum InferencePrecision: String, Codable, CaseIterable, Sendable {
    /// 32-bit floats. The reference.
    case f32

    /// bfloat16: about twice as fast on processors with AMX, slower on others; cosine to f32 about 0.999.
    case bf16

    /// 16-bit floats, for processors with AVX512-FP16 or ARMv8.2.
    case f16
}
