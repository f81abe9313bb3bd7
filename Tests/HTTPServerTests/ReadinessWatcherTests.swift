import Glibc
import TestSupport
import Testing
import Threads

@testable import HTTPServer

@Suite(.timeLimit(.minutes(2))) struct ReadinessWatcherTests {
    /// Invariant behind `@unchecked Sendable`: used on the reactor only.
    private final class Watches: @unchecked Sendable {
        var all: [SocketWatch] = []
    }

    /// What was told, in order.
    private let events = Locked<[String]>([])

    private static func pair() throws -> (ours: Int32, theirs: Int32) {
        var sockets: [Int32] = [-1, -1]
        let type = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
        try #require(socketpair(AF_UNIX, type, 0, &sockets) == 0)
        return (sockets[0], sockets[1])
    }

    private func note(_ event: String) { events.withLock { $0.append(event) } }

    private func told(_ event: String, times: Int = 1) async {
        var wait = PatientWait()
        while events.withLock({ $0.count { $0 == event } }) < times { await wait.pause() }
    }

    private func on(_ reactor: Reactor, _ work: @escaping @Sendable () -> Void) async {
        await withCheckedContinuation { continuation in
            reactor.run {
                work()
                continuation.resume()
            }
        }
    }

    @Test func tellsOfWhatIsWantedAndAgainWhileNobodyTakesIt() async throws {
        let reactor = Reactor()
        let (ours, theirs) = try Self.pair()
        let watches = Watches()
        await on(reactor) { [self] in
            let made = reactor.readiness.watch(ours, onReadable: { note("read") }, onWritable: { note("write") })
            #expect(made.resume(.reading))
            watches.all = [made]
        }
        send(theirs, "a", 1, 0)
        await told("read", times: 3)
        await on(reactor) { watches.all[0].pause(.reading) }
        let count = events.withLock { $0.count }
        await on(reactor) { #expect(watches.all[0].resume(.writing)) }
        await told("write", times: 3)
        // Bytes are still there, but nobody wants to hear of them.
        #expect(events.withLock { $0[count...].allSatisfy { $0 == "write" } })
        await on(reactor) {
            watches.all[0].pause(.writing)
            #expect(watches.all[0].resume(.reading))
        }
        await told("read", times: count + 1)
        await on(reactor) { watches.all[0].cancel() }
        close(ours)
        close(theirs)
    }

    @Test func aPausedSocketOfAPeerThatIsGoneKeepsNobodyBusy() async throws {
        let reactor = Reactor()
        let (ours, theirs) = try Self.pair()
        let (other, far) = try Self.pair()
        let watches = Watches()
        await on(reactor) { [self] in
            let gone = reactor.readiness.watch(
                ours,
                onReadable: {
                    note("read")
                    watches.all[0].pause(.reading)
                }, onWritable: { note("write") })
            let alive = reactor.readiness.watch(other, onReadable: { note("other") }, onWritable: {})
            watches.all = [gone, alive]
            #expect(gone.resume(.reading))
            #expect(alive.resume(.reading))
        }
        close(theirs)
        await told("read")
        send(far, "a", 1, 0)
        await told("other", times: 50)
        #expect(events.withLock { $0.count { $0 == "read" } } == 1)
        // What has happened is told when it is wanted again.
        await on(reactor) { #expect(watches.all[0].resume(.reading)) }
        await told("read", times: 2)
        await on(reactor) { watches.all.forEach { $0.cancel() } }
        for descriptor in [ours, other, far] { close(descriptor) }
    }

    @Test func whoIsCancelledInTheSameTurnHearsNothing() async throws {
        let reactor = Reactor()
        let pairs = try (0..<2).map { _ in try Self.pair() }
        for pair in pairs { send(pair.theirs, "a", 1, 0) }
        let watches = Watches()
        await on(reactor) { [self] in
            for pair in pairs {
                let watch = reactor.readiness.watch(
                    pair.ours,
                    onReadable: {
                        note("read")
                        watches.all.forEach { $0.cancel() }
                    }, onWritable: {})
                watches.all.append(watch)
                #expect(watch.resume(.reading))
            }
        }
        await told("read")
        // Later turns would tell of the other one.
        let (last, far) = try Self.pair()
        send(far, "a", 1, 0)
        let final = Watches()
        await on(reactor) { [self] in
            let watch = reactor.readiness.watch(last, onReadable: { note("last") }, onWritable: {})
            final.all = [watch]
            #expect(watch.resume(.reading))
        }
        await told("last", times: 3)
        #expect(events.withLock { $0.count { $0 == "read" } } == 1)
        await on(reactor) { final.all[0].cancel() }
        for descriptor in pairs.flatMap({ [$0.ours, $0.theirs] }) + [last, far] { close(descriptor) }
    }
}
