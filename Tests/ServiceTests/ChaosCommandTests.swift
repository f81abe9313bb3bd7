import PoolHealth
import Testing

@testable import Service

@Suite struct ChaosCommandTests {
    private func refusal(_ words: [String]) -> String? {
        #expect(throws: ChaosCommand.UsageError.self) { try ChaosCommand(words) }?.description
    }

    @Test func theFaultComesFirstAndTheFlagsAreTheRoutesParameters() throws {
        let command = try ChaosCommand(["lock", "--pool", "utility", "--workers=7", "--seconds", "1.5"])
        let plan = try #require(command.plan)
        #expect(plan.fault == .lock)
        #expect(plan.pool == .utility)
        #expect(plan.workers == 7)
        #expect(plan.duration == .seconds(1.5))
    }

    @Test func whatIsLeftOutMakesADefaultPoolStandStill() throws {
        let plan = try #require(try ChaosCommand(["sleep"]).plan)
        #expect(plan.pool == .default)
        #expect(plan.workers >= 2)
        #expect(plan.duration == .seconds(2))
    }

    @Test func helpIsNoFault() throws {
        for word in ["--help", "-h", "help"] { #expect(try ChaosCommand([word]).plan == nil) }
        let answer = try ChaosCommand(["--help"]).run()
        #expect(answer.isRight)
        for fault in ChaosFault.allCases { #expect(answer.text.contains(fault.rawValue)) }
        for parameter in ChaosPlan.parameters where parameter != "fault" {
            #expect(answer.text.contains("--\(parameter) "))
        }
    }

    @Test func saysWhatWouldBeAllowed() throws {
        #expect(refusal([])?.contains("fault is one of sleep, lock,") == true)
        #expect(refusal(["--pool", "default"])?.contains("fault is one of") == true)
        #expect(refusal(["nap"])?.contains("fault is one of") == true)
        #expect(
            refusal(["sleep", "--pool", "overcommit"])?.contains("pool is one of user_initiated, default,") == true)
        #expect(refusal(["sleep", "--workers", "0"])?.contains("workers is 1 to 512") == true)
        #expect(refusal(["sleep", "--seconds", "nan"])?.contains("seconds is above 0") == true)
        #expect(refusal(["sleep", "--seconds", "61"])?.contains("seconds is above 0") == true)
        #expect(refusal(["sleep", "--seconds"])?.contains("--seconds: its value is missing") == true)
        #expect(refusal(["sleep", "--fault", "lock"])?.contains("no flag --fault") == true)
        #expect(refusal(["sleep", "--server.port", "1"])?.contains("no flag --server.port") == true)
        #expect(refusal(["sleep", "lock"])?.contains("lock: not a flag") == true)
    }

    @Test func theWordsBehindChaosAreNoSettings() throws {
        let arguments = try CommandLineArguments(["chaos", "sleep", "--pool", "default"], environment: [:])
        #expect(arguments.command == .chaos)
        #expect(arguments.chaosWords == ["sleep", "--pool", "default"])
        #expect(try CommandLineArguments(["check", "--server.port", "1"], environment: [:]).chaosWords.isEmpty)
    }
}
