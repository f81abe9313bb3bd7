import HTTPWire

/// What all connections of a server share; nothing in it changes while it runs.
struct ServerContext: Sendable {
    let configuration: ServerConfiguration
    let router: Router
    let observer: any ServerObserver
    let reactor: Reactor
    let bodyBudget: BodyBudget
    let responseCoder: ResponseCoder
    let dates = DateCache()
    let requestIDs = RequestIDSource()

    init(configuration: ServerConfiguration, router: Router, observer: any ServerObserver) {
        self.configuration = configuration
        self.router = router
        self.observer = observer
        reactor = Reactor()
        let largestBodyBytes =
            router.routes.filter { !$0.streamsBody }.map { $0.bodyLimitBytes ?? configuration.bodyLimitBytes }.max()
            ?? 0
        responseCoder = ResponseCoder(configuration)
        // Beside a compressed body's content stand the bytes that wait in its pipe and those that are being inflated.
        let besideBytes =
            2 * (configuration.bodyHighWaterBytes + Reactor.receiveBufferBytes) + InflatingReader.stepBytes
        bodyBudget = BodyBudget(
            limitBytes: configuration.bodyBudgetBytes,
            largestBodyBytes: min(largestBodyBytes, configuration.bodyBudgetBytes) + besideBytes,
            reactor: reactor)
    }

    /// The whole answer to a connection that there is no room for.
    func turnAwayResponse() -> [UInt8] {
        let response = Response(.tooManyConnections)
        let requestID = requestIDs.next()
        let content = Problem.tooManyConnections.json(
            typePrefix: configuration.problemTypePrefix, instance: requestID)
        var fields = response.fields
        fields.set(.requestID, requestID)
        if let name = configuration.serverName {
            fields.set(.server, name)
        }
        var bytes: [UInt8] = []
        ResponseEncoder.appendHead(
            status: response.status, fields: fields, framing: .length(content.count, sendsContent: true),
            version: .http11, persists: false, date: dates.current(), to: &bytes)
        return bytes + content
    }
}
