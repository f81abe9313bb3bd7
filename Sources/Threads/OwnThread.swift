import CLinux
import Glibc

/// Starts plain threads that belong to neither Dispatch nor Swift's pool.
///
/// A Dispatch queue would not do: on Linux its threads come from the root queue of its QoS, which Swift's tasks of the
/// matching priority share, and each root queue has a limit at which every queue on it stands still.
public enum OwnThread {
    /// What `pthread_setname_np(3)` takes, without the terminating zero.
    public static let maximumNameLength = 15

    /// 4 MiB. Image codecs and inference runtimes put large rows and tables on the stack, so the 512 KiB that is usual
    /// for workers is too little; only pages that were touched count as memory.
    static let stackByteCount = 4 << 20

    private final class Start {
        let name: String
        let crew: ThreadRoll.Crew?
        let body: @Sendable () -> Void

        init(name: String, crew: ThreadRoll.Crew?, body: @escaping @Sendable () -> Void) {
            self.name = name
            self.crew = crew
            self.body = body
        }

        func run() {
            _ = clinux_set_thread_name(name)
            guard let crew else { return body() }
            let thread = clinux_thread_id()
            ThreadRoll.enter(thread, crew)
            body()
            ThreadRoll.leave(thread)
        }
    }

    /// Runs `body` on a new, detached thread, which ends with it.
    ///
    /// Detached, since nobody could join it without blocking: `body` says by itself when it is done.
    ///
    /// - Parameters:
    ///   - name: at most 15 bytes of ASCII without spaces (libdispatch's parser of `/proc` stumbles over a space in any
    ///     thread's name).
    ///   - crew: what the thread belongs to, for the ``ThreadRoll``; `nil` if nobody needs to know.
    /// - Throws: ``ThreadStartError`` if the system gives no thread.
    public static func start(
        name: String, crew: ThreadRoll.Crew? = nil, _ body: @escaping @Sendable () -> Void
    ) throws(ThreadStartError) {
        precondition(isValidName(name), "not a thread name: \(name)")
        var attributes = pthread_attr_t()
        pthread_attr_init(&attributes)
        defer { pthread_attr_destroy(&attributes) }
        pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
        pthread_attr_setstacksize(&attributes, stackByteCount)

        // The new thread takes over this reference; if there is no new thread, it is given back below.
        let start = Unmanaged.passRetained(Start(name: name, crew: crew, body: body))
        var thread = pthread_t()
        let code = pthread_create(
            &thread, &attributes,
            { argument in
                guard let argument else { return nil }
                Unmanaged<Start>.fromOpaque(argument).takeRetainedValue().run()
                return nil
            }, start.toOpaque())
        guard code == 0 else {
            start.release()
            throw ThreadStartError(threadName: name, code: code)
        }
    }

    /// Whether `start` takes the name.
    public static func isValidName(_ name: String) -> Bool {
        (1...maximumNameLength).contains(name.utf8.count) && name.utf8.allSatisfy { (0x21...0x7e).contains($0) }
    }
}
