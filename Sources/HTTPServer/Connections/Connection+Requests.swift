import HTTPWire
import Scheduling

/// From a request's head to its response.
extension Connection {
    /// A head is complete: decide by it alone, before any of the body is read, and start the handler.
    func begin(_ head: RequestHead) {
        let requestID = context.requestIDs.id(proposed: head.fields[.requestID])
        let match = context.router.match(head)
        open(
            Exchange(
                number: requestCount + 1, head: head, requestID: requestID, start: .now, route: match.routeName))
        _ = state.handle(
            .requestStarted(
                allowsPersistence: head.allowsPersistence, expectsContinue: head.expectsContinue,
                hasBody: head.bodyFraming != .none))
        switch match {
        case .route(let route, let parameters):
            run(route, parameters, head, requestID)
        case .options(let allowed):
            var fields = context.configuration.cors?.preflightFields(head, methods: allowed) ?? [:]
            fields.append(.allow, allowed)
            answerUnread(Response(status: .noContent, fields: fields), head)
        case .notFound:
            answerUnread(Response(.notFound), head)
        case .methodNotAllowed(let allowed):
            answerUnread(Response(.methodNotAllowed(allowed)), head)
        case .methodNotImplemented:
            answerUnread(Response(.methodNotImplemented), head)
        }
    }

    /// A head that can't be read, or is too slow: say why, and close.
    func refuse(_ problem: Problem) {
        open(
            Exchange(
                number: requestCount + 1, head: nil, requestID: context.requestIDs.next(), start: .now,
                route: Router.unmatchedName))
        _ = state.handle(.requestRefused)
        respond(Response(problem))
    }

    /// The handler asks for the body, or has made room for more of it.
    func bodyDemanded(by number: Int) {
        guard exchange?.number == number else { return }
        perform(state.handle(.bodyWanted), closing: .clientGone)
        updateReading()
    }

    /// The open request is over.
    func finishExchange(_ outcome: RequestRecord.Outcome) {
        guard let finished = exchange else { return }
        exchange = nil
        finished.pipe?.fail(.clientGone)
        if let account = finished.bodyAccount {
            context.bodyBudget.close(account)
        }
        context.observer.requestFinished(finished.record(outcome, remoteAddress: remoteAddress))
    }

    private func open(_ new: Exchange) {
        requestCount = new.number
        exchange = new
        context.observer.requestStarted(route: new.route)
    }

    private func run(_ route: Route, _ parameters: [String: String], _ head: RequestHead, _ requestID: String) {
        let limit = route.bodyLimitBytes ?? context.configuration.bodyLimitBytes
        do throws(BodyDecodingError) {
            decoder = try BodyDecoder(framing: head.bodyFraming, limit: limit)
        } catch {
            _ = state.handle(.bodyRefused)
            context.observer.inputRefused(slug: error.slug)
            return respond(Response(.bodyTooLarge(limit: limit)))
        }
        switch route.handler {
        case .immediate(let answer):
            let request = request(head, requestID, route, parameters, body: .empty)
            respond(context.responseCoder.codeAtOnce(answer(request), to: request))
        case .async(let handler):
            guard let body = openBody(head, limit: limit, isStreamed: route.streamsBody) else {
                context.observer.inputRefused(slug: ContentCoding.unsupportedSlug)
                return respond(Response(.unsupportedContentCoding))
            }
            start(handler, request(head, requestID, route, parameters, body: body))
        }
    }

    /// Answers a request whose body nobody will read.
    private func answerUnread(_ response: Response, _ head: RequestHead) {
        decoder = try? BodyDecoder(
            framing: head.bodyFraming, limit: context.configuration.discardableBodyBytes)
        if decoder == nil {
            _ = state.handle(.bodyRefused)
        }
        respond(response)
    }

    private func request(
        _ head: RequestHead, _ requestID: String, _ route: Route, _ parameters: [String: String], body: RequestBody
    ) -> Request {
        Request(
            head: head, id: requestID, remoteAddress: remoteAddress, arrival: requestArrival, route: route.name,
            pathParameters: parameters, body: body)
    }

    /// The body as its handler reads it; nil when it has a content coding that can't be taken off.
    private func openBody(_ head: RequestHead, limit: Int, isStreamed: Bool) -> RequestBody? {
        guard head.bodyFraming != .none else { return .empty }
        guard let coding = ContentCoding(head.fields) else { return nil }
        let isInflatedInPieces = isStreamed && coding == .gzip
        let number = requestCount
        let reactor = context.reactor
        let budget = context.bodyBudget
        let account = budget.open(
            client: ClientNetwork(remoteAddress), isStreamed: isStreamed,
            workingBytes: isInflatedInPieces ? InflatingReader.stepBytes : 0)
        let pipe = BodyPipe(
            highWaterBytes: context.configuration.bodyHighWaterBytes,
            expectedBytes: isStreamed || coding == .gzip ? nil : decoder?.remaining,
            onDemand: { [weak self] in
                reactor.run { [weak self] in
                    self?.assumeIsolated { $0.bodyDemanded(by: number) }
                }
            },
            onRelease: { budget.release($0, of: account) },
            onClientTime: { [weak self] in
                reactor.run { [weak self] in
                    self?.assumeIsolated { $0.updateDeadlines() }
                }
            })
        exchange?.pipe = pipe
        exchange?.bodyAccount = account
        return switch coding {
        case .identity: RequestBody(pipe: pipe, contentLength: decoder?.remaining)
        case .gzip: RequestBody(gzip: pipe, inflation(limit: limit, holdsPiece: isInflatedInPieces, account))
        }
    }

    private func inflation(limit: Int, holdsPiece: Bool, _ account: BodyBudget.Account) -> Inflation {
        let budget = context.bodyBudget
        let reactor = context.reactor
        let observer = context.observer
        return Inflation(
            limit: limit,
            holdsPiece: holdsPiece,
            admit: { try await budget.reserve($0, for: account) },
            release: { budget.release($0, of: account) },
            // Observers are called on the reactor.
            onRefusal: { slug in reactor.run { observer.inputRefused(slug: slug) } })
    }

    /// The one unstructured task of a request: owned by the connection, which cancels it when the client leaves.
    /// Detached, since it must not start on the reactor.
    private func start(
        _ handler: @escaping @Sendable (Request) async throws -> Response, _ request: Request
    ) {
        let number = requestCount
        let cause = exchange?.cancellationCause
        exchange?.task = Task.detached {
            await CancellationCause.$current.withValue(cause) {
                await self.context.configuration.requestScope(request) {
                    await self.answer(request, number, by: handler)
                }
            }
        }
    }

    /// The whole life of a request's task.
    nonisolated private func answer(
        _ request: Request, _ number: Int, by handler: @Sendable (Request) async throws -> Response
    ) async {
        let response: Response
        do {
            response = try await handler(request)
        } catch  where Task.isCancelled {
            return await abandon(number)
        } catch {
            response = context.configuration.errorResponder(error, request)
        }
        await deliver(context.responseCoder.code(response, to: request), to: number)
    }

    /// The handler was cancelled and has nothing to say. Usually the connection is closed by now.
    private func abandon(_ number: Int) {
        guard exchange?.number == number else { return }
        perform(state.handle(.responseAbandoned), closing: .aborted)
    }

    /// A handler's response; ignored when its request is over already.
    private func deliver(_ response: Response, to number: Int) async {
        guard exchange?.number == number else { return }
        respond(response)
        switch response.body {
        case .none, .bytes, .problem:
            return
        case .written(let content):
            await send(content, number)
        case .stream(let chunks):
            await send({ try await $0.write(contentsOf: chunks) }, number)
        }
    }
}
