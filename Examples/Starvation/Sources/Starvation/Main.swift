import Glibc

/// Three ways in which servers written in Swift have come to a standstill: first as they happen, under the eyes of the
/// monitor, then in a form that they don't happen in.
///
/// `main` is not `async`: the main thread belongs to no pool, so it can look on while a pool stands still.
@main
enum Main {
    static func main() throws {
        let stage = try Stage()
        let outcomes = [
            try BlockingFetch.show(on: stage),
            try WaitingProducer.show(on: stage),
            try LostCallback.show(on: stage),
        ]
        print()
        guard outcomes.allSatisfy({ $0 }) else {
            print("Not as it should be: see the lines that begin with NO.")
            exit(1)
        }
        print("Each naive form was diagnosed, and no cured one starved.")
    }
}
