@preconcurrency import Dispatch
import Glibc
import Scheduling
import Synchronization
import Threads

/// Calls that wait, each of which ends by itself.
enum WaitingCall {
    /// By name: prepares on the main thread what will be waited for, and gives the call.
    static let all: [String: @Sendable () throws -> @Sendable () -> Void] = [
        "nothing": { {} },
        "usleep": { { usleep(1_000) } },
        "nanosleep": {
            {
                var time = timespec(tv_sec: 0, tv_nsec: 1_000_000)
                nanosleep(&time, nil)
            }
        },
        "DispatchSemaphore": {
            let semaphore = DispatchSemaphore(value: 0)
            let begin = try later { semaphore.signal() }
            return {
                begin.signal()
                semaphore.wait()
            }
        },
        "DispatchGroup": {
            let group = DispatchGroup()
            group.enter()
            let begin = try later { group.leave() }
            return {
                begin.signal()
                group.wait()
            }
        },
        "pthread_mutex": {
            let lock = Locked(())
            let begin = try hold { body in lock.withLock { _ in body() } }
            return {
                begin.signal()
                lock.withLock { _ in }
            }
        },
        "Mutex": {
            let lock = SwiftLock()
            let begin = try hold { body in lock.mutex.withLock { _ in body() } }
            return {
                begin.signal()
                lock.mutex.withLock { _ in }
            }
        },
        "pthread_cond": {
            let condition = Condition()
            let begin = try later { condition.signal() }
            return {
                begin.signal()
                condition.wait()
            }
        },
        "read": {
            let (reading, writing) = pipe()
            let begin = try later { close(writing) }
            return {
                begin.signal()
                var byte: UInt8 = 0
                _ = Glibc.read(reading, &byte, 1)
            }
        },
        "poll": { { poll(nil, 0, 1) } },
        "connect": {
            // Refused at once, but it might as well not have been.
            { _ = connectToDiscardPort() }
        },
        "waitpid": {
            var child: pid_t = 0
            posix_spawn(&child, "/bin/true", nil, nil, [nil], [nil])
            let started = child
            return { waitpid(started, nil, 0) }
        },
        "fsync": {
            // A pipe can't be synchronised and fails at once, but the call is made.
            let (reading, _) = pipe()
            return { fsync(reading) }
        },
    ]

    /// Well above what `POOL_STRICT` gives a lock, in microseconds.
    private static let delay: useconds_t = 300_000

    /// Does something a while after the signal that this returns.
    private static func later(_ body: @escaping @Sendable () -> Void) throws -> ThreadSemaphore {
        let begin = ThreadSemaphore()
        try OwnThread.start(name: "later") {
            begin.wait()
            usleep(delay)
            body()
        }
        return begin
    }

    /// Has another thread hold a lock, until a while after the signal that this returns.
    private static func hold(_ withLock: @escaping @Sendable (() -> Void) -> Void) throws -> ThreadSemaphore {
        let begin = ThreadSemaphore()
        let isHeld = ThreadSemaphore()
        try OwnThread.start(name: "holder") {
            withLock {
                isHeld.signal()
                begin.wait()
                usleep(delay)
            }
        }
        isHeld.wait()
        return begin
    }

    private static func pipe() -> (reading: Int32, writing: Int32) {
        var ends: [Int32] = [0, 0]
        _ = Glibc.pipe(&ends)
        return (ends[0], ends[1])
    }

    private static func connectToDiscardPort() -> Int32 {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(9).bigEndian
        address.sin_addr.s_addr = in_addr_t(INADDR_LOOPBACK).bigEndian
        return withUnsafeBytes(of: &address) { bytes in
            connect(descriptor, bytes.assumingMemoryBound(to: sockaddr.self).baseAddress, socklen_t(bytes.count))
        }
    }

    private final class SwiftLock: Sendable {
        let mutex = Mutex(())
    }
}
