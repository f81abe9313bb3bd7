import Glibc
import TestSupport
import Testing

@testable import Inference

@Suite struct CacheLockTests {
    @Test func whileOneHasTheFolderNoOtherGetsIt() throws {
        let folder = try TemporaryFolder()
        let inner = try CacheLock.hold(folder.url.path, patience: .zero) { () throws(InferenceError) -> Int? in
            // A second descriptor is to the kernel what a second process is.
            try CacheLock.hold(folder.url.path, patience: .milliseconds(20)) { 1 }
        }
        #expect(inner == .some(nil))
        // A child that another test is just starting has the descriptor too, for a moment.
        let next = try CacheLock.hold(folder.url.path, patience: .seconds(60)) { 2 }
        #expect(next == 2)
    }

    @Test func isGivenBackWhenTheWorkFails() throws {
        let folder = try TemporaryFolder()
        #expect(throws: InferenceError.invalidSetting(name: "x", value: 0)) {
            try CacheLock.hold(folder.url.path, patience: .zero) { () throws(InferenceError) in
                throw InferenceError.invalidSetting(name: "x", value: 0)
            }
        }
        // A child that another test is just starting has the descriptor too, for a moment.
        let next = try CacheLock.hold(folder.url.path, patience: .seconds(60)) { 1 }
        #expect(next == 1)
    }

    @Test func aFolderThatCanNotBeLockedIsNotHeld() throws {
        let held = try CacheLock.hold("/proc/no-such-folder", patience: .zero) { 1 }
        #expect(held == nil)
    }
}
