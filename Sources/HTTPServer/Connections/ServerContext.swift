/// What all connections of a server share; nothing in it changes while it runs.
struct ServerContext: Sendable {
    let configuration: ServerConfiguration
    let router: Router
    let observer: any ServerObserver
    let reactor: Reactor
    let dates = DateCache()
    let requestIDs = RequestIDSource()
}
