import HTTPWire
import Testing

@Suite struct ConnectionStateTests {
    private static let get = ConnectionEvent.requestStarted(
        allowsPersistence: true, expectsContinue: false, hasBody: false)
    private static let post = ConnectionEvent.requestStarted(
        allowsPersistence: true, expectsContinue: false, hasBody: true)
    private static let expectingPost = ConnectionEvent.requestStarted(
        allowsPersistence: true, expectsContinue: true, hasBody: true)
    private static let respond = ConnectionEvent.responseStarted(allowsPersistence: true, restIsDiscardable: false)
    private static let respondEarly = ConnectionEvent.responseStarted(allowsPersistence: true, restIsDiscardable: true)
    private static let written = ConnectionEvent.responseWritten(hasUnreadInput: false)
    private static let abandonEverything: ConnectionActions = [.cancelHandler, .failBody, .close]

    /// Runs the events; returns the last one's actions. The ones before must ask for nothing but what `passing` names.
    private func run(
        _ events: [ConnectionEvent], in state: inout ConnectionState, passing: ConnectionActions = []
    ) -> ConnectionActions {
        var actions: ConnectionActions = []
        for (index, event) in events.enumerated() {
            actions = state.handle(event)
            if index < events.count - 1 {
                #expect(actions.isSubset(of: passing), "\(event)")
            }
        }
        return actions
    }

    @Test func servesOneRequestAfterTheOther() {
        var state = ConnectionState()
        for _ in 0..<2 {
            #expect(state.isIdle)
            #expect(run([Self.get, Self.respond], in: &state) == [])
            #expect(state.persists)
            #expect(state.handle(Self.written) == .readNextRequest)
        }
        #expect(run([Self.post, .bodyReceived, .bodyCompleted, Self.respond], in: &state) == [])
        #expect(state.persists)
        #expect(state.handle(Self.written) == .readNextRequest)
    }

    @Test func closesAfterTheResponseWhenTheClientWantsThat() {
        var state = ConnectionState()
        let last = ConnectionEvent.requestStarted(allowsPersistence: false, expectsContinue: false, hasBody: false)
        #expect(run([last, Self.respond], in: &state) == [])
        #expect(!state.persists)
        #expect(state.handle(Self.written) == .close)
        #expect(state.isClosed)
    }

    @Test func lingersWhereClosingWouldResetUnreadBytes() {
        var state = ConnectionState()
        let last = ConnectionEvent.requestStarted(allowsPersistence: false, expectsContinue: false, hasBody: false)
        #expect(run([last, Self.respond, .responseWritten(hasUnreadInput: true)], in: &state) == .linger)
        #expect(state.receiving == .ignoring)
        #expect(state.handle(.peerFinished) == .close)
    }

    @Test func sends100OnceAndOnlyWhenTheBodyIsWanted() {
        var state = ConnectionState()
        #expect(run([Self.expectingPost], in: &state) == [])
        #expect(state.handle(.bodyWanted) == .sendContinue)
        #expect(state.handle(.bodyWanted) == [])
    }

    @Test func sendsNo100ToAClientThatDoesNotWait() {
        var state = ConnectionState()
        #expect(run([Self.expectingPost, .bodyReceived, .bodyWanted], in: &state) == [])
        var plain = ConnectionState()
        #expect(run([Self.post, .bodyWanted], in: &plain) == [])
    }

    @Test func anEarlyAnswerSendsNo100AndCloses() {
        var state = ConnectionState()
        #expect(run([Self.expectingPost, Self.respondEarly, .bodyWanted], in: &state) == [])
        #expect(!state.persists)
        #expect(state.handle(Self.written) == .linger)
    }

    @Test func readsOverASmallRestOfABody() {
        var state = ConnectionState()
        #expect(run([Self.post, Self.respondEarly], in: &state) == [])
        #expect(state.persists)
        #expect(state.handle(Self.written) == .discardBody)
        #expect(state.receiving == .discarding)
        #expect(run([.bodyReceived, .bodyCompleted], in: &state) == .readNextRequest)
        #expect(state.isIdle)
    }

    @Test func closesOverALargeRestOfABody() {
        var state = ConnectionState()
        #expect(run([Self.post, Self.respond, Self.written], in: &state) == .linger)
    }

    @Test func aMalformedHeadIsAnsweredAndEndsTheConnection() {
        var state = ConnectionState()
        #expect(run([.requestRefused, Self.respond], in: &state) == [])
        #expect(!state.persists)
        #expect(state.handle(Self.written) == .linger)
    }

    @Test func aMalformedBodyFailsTheHandlerWhichAnswersOnce() {
        var state = ConnectionState()
        #expect(run([Self.post, .bodyRefused], in: &state) == .failBody)
        #expect(state.responding == .awaited)
        #expect(state.receiving == .ignoring)
        #expect(run([Self.respond], in: &state) == [])
        #expect(!state.persists)
        // A second start is ignored: there is one response.
        #expect(state.handle(Self.respond) == [])
        #expect(state.responding == .started)
        #expect(state.handle(Self.written) == .linger)
        #expect(state.handle(Self.written) == [])
    }

    @Test func aMalformedRestOfADiscardedBodyCloses() {
        var state = ConnectionState()
        #expect(
            run([Self.post, Self.respondEarly, Self.written, .bodyRefused], in: &state, passing: .discardBody) == .close
        )
    }

    @Test(arguments: [
        [get], [post], [post, .bodyReceived], [post, .bodyCompleted], [get, respond], [post, respond],
    ])
    func aClientThatLeavesTakesItsRequestAlong(events: [ConnectionEvent]) {
        for leave in [ConnectionEvent.peerFinished, .peerReset, .stopForced, .responseAbandoned] {
            var state = ConnectionState()
            #expect(run(events + [leave], in: &state) == Self.abandonEverything)
            #expect(state.isClosed)
            for late in [Self.respond, Self.written, .bodyReceived, .bodyCompleted, .bodyRefused, .bodyWanted, leave] {
                #expect(state.handle(late) == [])
            }
        }
    }

    @Test func aClientThatLeavesBetweenRequestsIsJustClosed() {
        var state = ConnectionState()
        #expect(state.handle(.peerFinished) == .close)
    }

    @Test func halfCloseIsServedWhereAllowed() {
        var state = ConnectionState(allowsHalfClose: true)
        #expect(run([Self.get, .peerFinished, Self.respond], in: &state) == [])
        #expect(state.handle(.responseWritten(hasUnreadInput: true)) == .readNextRequest)
        #expect(run([Self.get, Self.respond, Self.written], in: &state) == .close)

        var uploading = ConnectionState(allowsHalfClose: true)
        #expect(run([Self.post, .peerFinished], in: &uploading) == Self.abandonEverything)
        var idle = ConnectionState(allowsHalfClose: true)
        #expect(idle.handle(.peerFinished) == .close)
    }

    @Test func aConnectionWithoutRoomIsToldSoAndLingers() {
        var state = ConnectionState()
        #expect(state.handle(.connectionRefused) == .linger)
        #expect(state.isLingering)
        #expect(!state.persists)
        #expect(state.handle(.peerFinished) == .close)
    }

    @Test func tellsWhetherTheClientWaitsForA100() {
        var state = ConnectionState()
        _ = state.handle(Self.post)
        #expect(!state.owesContinue)
        var expecting = ConnectionState()
        _ = expecting.handle(Self.expectingPost)
        #expect(expecting.owesContinue)
        _ = expecting.handle(.bodyWanted)
        #expect(!expecting.owesContinue)
    }

    @Test func stoppingClosesIdleConnectionsAtOnce() {
        var state = ConnectionState()
        #expect(state.handle(.stopRequested(isIdle: true)) == .close)
    }

    @Test func stoppingLingersInTheMiddleOfABodyThatIsReadOver() {
        var discarding = ConnectionState()
        #expect(
            run(
                [Self.post, Self.respondEarly, Self.written, .stopRequested(isIdle: true)], in: &discarding,
                passing: .discardBody) == .linger)
        #expect(discarding.isLingering)
        #expect(discarding.handle(.peerFinished) == .close)
    }

    @Test func stoppingLetsOpenRequestsFinish() {
        var awaited = ConnectionState()
        #expect(run([Self.get, .stopRequested(isIdle: true), Self.respond], in: &awaited) == [])
        #expect(!awaited.persists)
        #expect(awaited.handle(Self.written) == .close)

        var begun = ConnectionState()
        #expect(run([Self.get, Self.respond, .stopRequested(isIdle: true)], in: &begun) == [])
        #expect(begun.handle(Self.written) == .close)

        var halfHead = ConnectionState()
        #expect(run([.stopRequested(isIdle: false), Self.get, Self.respond], in: &halfHead) == [])
        #expect(!halfHead.persists)
        #expect(halfHead.handle(Self.written) == .close)
    }
}
