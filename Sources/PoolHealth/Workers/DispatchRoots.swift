import CPoolHealth

/// Where Dispatch keeps its root queues. Their addresses are public (a global queue is one); what is private is that a
/// worker thread's start argument is its root queue, which the self-test of the sampler checks.
struct DispatchRoots {
    /// By the index of the root queue.
    let addresses: [UInt]

    /// `nil` if Dispatch doesn't give each of them one of its own.
    static func find() -> DispatchRoots? {
        let addresses = RootQueue.all.map { root in
            UInt(cpoolhealth_root_queue(qualityOfService(root.quality), root.isOvercommit ? 1 : 0))
        }
        guard !addresses.contains(0), Set(addresses).count == addresses.count else { return nil }
        return DispatchRoots(addresses: addresses)
    }

    /// Which root queue is at the address.
    func root(at address: UInt) -> RootQueue? {
        addresses.firstIndex(of: address).map { RootQueue.all[$0] }
    }

    /// `QOS_CLASS_*` of `<dispatch/base.h>`.
    private static func qualityOfService(_ pool: Pool) -> UInt32 {
        switch pool {
        case .userInitiated: 0x19
        case .default, .overcommit: 0x15
        case .utility: 0x11
        case .background: 0x09
        }
    }

    /// The root queue that a worker serves, from its stack; `nil` if it is no worker of Dispatch.
    ///
    /// Above the outermost call glibc keeps the thread's own record, with the start function and its argument side by
    /// side. The search begins at that end, since a root queue's address may lie on anybody's stack.
    func root(ofStack words: UnsafeBufferPointer<UInt>, isCode: (UInt) -> Bool) -> RootQueue? {
        var index = words.count - 1
        while index > 0 {
            if let root = root(at: words[index]), isCode(words[index - 1]) { return root }
            index -= 1
        }
        return nil
    }
}
