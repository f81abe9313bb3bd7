import Foundation

/// A platform that lets a process see less, and how to start a program on one.
package enum Restriction: String, Sendable, CaseIterable {
    /// No control group is mounted.
    case noControlGroups
    /// `/proc` shows only the user's own processes (hidepid=2), and the user is nobody.
    case hiddenProcesses
    /// A seccomp filter refuses `process_vm_readv`.
    case noMemoryReading
    /// There is no `/proc`.
    case noProc

    /// A program, with its arguments, that is given a command line to become it.
    package var launcher: [String] {
        switch self {
        case .noControlGroups: Self.inOwnMounts("mount -t tmpfs none /sys/fs/cgroup", then: #"exec "$@""#)
        case .hiddenProcesses: Self.inOwnMounts("mount -t proc -o hidepid=2 proc /proc", then: Self.asNobody)
        case .noMemoryReading: ["python3", "-c", Self.filter]
        case .noProc: Self.inOwnMounts("mount -t tmpfs none /proc", then: #"exec "$@""#)
        }
    }

    /// Whether this machine lets us: all but one take root, and not every container's root may mount.
    package var isPossible: Bool {
        let rehearsal = launcher + ["/bin/true"]
        let result = try? CommandResult.runBlocking(rehearsal[0], Array(rehearsal.dropFirst()))
        return result?.exitStatus == 0
    }

    /// Why a test is skipped.
    package static let impossible =
        "this machine doesn't let the test restrict a program so: root, with mounts, is needed"

    /// Runs a program as the user nobody, who gets no more rights.
    package static let asNobody =
        #"exec setpriv --reuid=65534 --regid=65534 --clear-groups --no-new-privs "$@""#

    private static func inOwnMounts(_ mount: String, then start: String) -> [String] {
        ["unshare", "--mount", "sh", "-ec", "\(mount); \(start)", "sh"]
    }

    /// Needs no root: a process may always restrict itself.
    private static let filter = """
        import ctypes, os, platform, struct, sys
        number = {"x86_64": 310, "aarch64": 270}[platform.machine()]
        # seccomp(2): load the call's number; EPERM for the one, allow all others.
        steps = [(0x20, 0, 0, 0), (0x15, 0, 1, number), (0x06, 0, 0, 0x00050001), (0x06, 0, 0, 0x7fff0000)]
        code = ctypes.create_string_buffer(b"".join(struct.pack("HBBI", *step) for step in steps))
        program = ctypes.create_string_buffer(struct.pack("HxxxxxxP", len(steps), ctypes.addressof(code)))
        prctl = ctypes.CDLL(None, use_errno=True).prctl
        # PR_SET_NO_NEW_PRIVS, PR_SET_SECCOMP with SECCOMP_MODE_FILTER
        if prctl(38, 1, 0, 0, 0) or prctl(22, 2, program, 0, 0): sys.exit(os.strerror(ctypes.get_errno()))
        os.execvp(sys.argv[1], sys.argv[1:])
        """
}
