/// What all connections of a server share; nothing in it changes while it runs.
struct ServerContext: Sendable {
    let configuration: ServerConfiguration
    let router: Router
    let observer: any ServerObserver
    let reactor: Reactor
    let responseCoder: ResponseCoder
    let dates = DateCache()
    let requestIDs = RequestIDSource()

    init(configuration: ServerConfiguration, router: Router, observer: any ServerObserver) {
        self.configuration = configuration
        self.router = router
        self.observer = observer
        reactor = Reactor()
        responseCoder = ResponseCoder(configuration)
    }
}
