import Glibc

/// The listening sockets that a service manager like systemd hands to a process it starts: the protocol of
/// sd_listen_fds(3), without libsystemd.
///
///     configuration.inheritedDescriptors = try SocketActivation.descriptors(environment: environment)
public enum SocketActivation {
    /// A variable of the protocol that doesn't hold what it must.
    public struct Failure: Error, Equatable, CustomStringConvertible {
        /// One line that names the variable and its value.
        public let description: String
    }

    /// The first descriptor that is handed over (SD_LISTEN_FDS_START).
    private static let firstDescriptor: Int32 = 3
    /// More than anybody would configure.
    private static let countLimit: Int32 = 1024

    /// The descriptors that are meant for this process; none when it wasn't started that way, or when the variables
    /// were inherited from a process that they were meant for.
    /// - Parameters:
    ///   - environment: The process's environment: LISTEN_PID and LISTEN_FDS.
    ///   - processID: The process's id.
    /// - Throws: `Failure` for a variable that isn't a number.
    public static func descriptors(
        environment: [String: String], processID: pid_t = getpid()
    ) throws(Failure) -> [Int32] {
        guard let meant = environment["LISTEN_PID"], let counted = environment["LISTEN_FDS"] else { return [] }
        guard let process = pid_t(meant) else {
            throw Failure(description: "LISTEN_PID is \"\(meant)\", but it must be a process's id")
        }
        guard process == processID else { return [] }
        guard let count = Int32(counted), (0...countLimit).contains(count) else {
            throw Failure(description: "LISTEN_FDS is \"\(counted)\", but it must be a number of descriptors")
        }
        return (0..<count).map { firstDescriptor + $0 }
    }
}
