import CVips
import Glibc
import Threads

/// libvips in this process: started once, at the latest by the first use, and what it says about errors.
final class VipsLibrary: Sendable {
    /// Nil if libvips can't be initialised.
    static let shared: VipsLibrary? = cvips_start() == 0 ? VipsLibrary() : nil

    /// One decode's right to the error messages.
    ///
    /// libvips has one error buffer for the whole process. As long as a decode is the only one, what is in there is its
    /// own; otherwise it may be about somebody else's picture.
    struct Visit {
        fileprivate let number: Int
    }

    private struct State {
        var lastNumber = 0
        var present = 0
        /// Every visit up to this one had company.
        var lastInCompany = 0
    }

    private let state = Locked(State())

    private init() {}

    /// Runs a decode on the calling thread and afterwards gives back what libvips keeps for that thread.
    func visit<Result>(_ body: (Visit) throws -> Result) rethrows -> Result {
        let visit = state.withLock { state in
            state.lastNumber += 1
            state.present += 1
            if state.present > 1 { state.lastInCompany = state.lastNumber }
            return Visit(number: state.lastNumber)
        }
        defer {
            state.withLock { $0.present -= 1 }
            cvips_leave_thread()
        }
        return try body(visit)
    }

    /// The last line of what libvips said, or nil if that may be about another decode.
    func takeError(for visit: Visit) -> String? {
        guard let text = cvips_take_errors() else { return nil }
        defer { free(text) }
        let wasAlone = state.withLock { visit.number > $0.lastInCompany }
        guard wasAlone else { return nil }
        return String(cString: text).split(whereSeparator: \.isNewline).last.map(String.init)
    }
}
