import Glibc
import HTTPWire
import Threads

/// The Date field's value, written anew once a second rather than for each response.
final class DateCache: Sendable {
    private struct Entry {
        var second = -1
        var text = ""
    }

    private let entry = Locked(Entry())

    func current() -> String {
        let now = time(nil)
        return entry.withLock { entry in
            if entry.second != now {
                entry = Entry(second: now, text: HTTPDate.format(secondsSinceEpoch: now))
            }
            return entry.text
        }
    }
}
