/// How much the platform lets the monitor see.
public enum MonitorMode: String, Sendable, CaseIterable {
    /// Threads, and the functions that they are blocked in by name.
    case full
    /// Threads and their stacks, but names only as the dynamic linker knows them: the binary is stripped.
    case framesOnly = "frames_only"
    /// Probes only: no `/proc`, or the process may not read its own memory.
    case none
}
