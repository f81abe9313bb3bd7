/// One way of having many photos analysed side by side. Used by one thread.
protocol Way {
    /// Begins, and returns before the work is done.
    func start(_ photos: PhotoSet, _ tally: Tally)

    /// Gives up what is not done yet, as far as this way can.
    func cancel()

    /// Blocks until no piece of work is waiting or running any more.
    func wait()

    /// Vectors that were kept.
    var results: Int { get }
}
