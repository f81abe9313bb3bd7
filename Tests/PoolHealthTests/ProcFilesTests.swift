import Testing

@testable import PoolHealth

/// Texts as the kernel (6.18, x86-64) wrote them, and what the manual pages allow besides.
@Suite struct ProcFilesTests {
    private func parse<R>(_ text: String, _ body: (Span<UInt8>) -> R) -> R {
        body(Array(text.utf8).span)
    }

    @Test func readsASystemCallWithItsFirstArgument() {
        let line = "202 0x563f879410d0 0x189 0x0 0x0 0x0 0xffffffff 0x7f9a3bffcb70 0x7f9a3c883f16\n"
        #expect(
            parse(line, SystemCall.parse)
                == .inside(
                    number: 202, firstArgument: 0x563f_8794_10d0, stackPointer: 0x7f9a_3bff_cb70,
                    programCounter: 0x7f9a_3c88_3f16))
    }

    @Test func readsARunningThread() {
        #expect(parse("running\n", SystemCall.parse) == .running)
    }

    @Test func readsAThreadThatSleepsOutsideOfASystemCall() {
        #expect(
            parse("-1 0x7ffe00000010 0x7f0000001000\n", SystemCall.parse)
                == .outside(stackPointer: 0x7ffe_0000_0010, programCounter: 0x7f00_0000_1000))
    }

    @Test(arguments: ["", "\n", "202\n", "202 0x1 0x2\n", "-1 0x1\n", "rot 0x", "x", "99999999999999999999999 0x1"])
    func refusesBrokenSystemCalls(_ line: String) {
        #expect(parse(line, SystemCall.parse) == nil || line.hasPrefix("r"))
    }

    @Test func readsTheSchedulersStatistics() {
        #expect(
            parse("119287 2012855 17\n", ScheduleStatistics.parse)
                == ScheduleStatistics(cpuNanoseconds: 119_287, waitNanoseconds: 2_012_855, timeslices: 17))
        #expect(parse("119287 2012855\n", ScheduleStatistics.parse) == nil)
        #expect(parse("", ScheduleStatistics.parse) == nil)
    }

    @Test func subtractsAnEarlierReading() {
        let earlier = ScheduleStatistics(cpuNanoseconds: 10, waitNanoseconds: 20, timeslices: 3)
        let later = ScheduleStatistics(cpuNanoseconds: 15, waitNanoseconds: 20, timeslices: 4)
        #expect(later.since(earlier) == ScheduleStatistics(cpuNanoseconds: 5, waitNanoseconds: 0, timeslices: 1))
    }

    @Test(arguments: [
        ("30622 (sleep) S 30614 30614 28888 0 -1", "S"), ("1 (a) b) (c) D 0 1", "D"), ("7 (R S) R) t 1", "t"),
    ])
    func findsTheStateBehindAnyName(line: String, state: String) {
        #expect(parse(line, ThreadStatus.state(stat:)) == state.utf8.first)
    }

    @Test func findsNoStateInABrokenLine() {
        #expect(parse("30622 sleep S", ThreadStatus.state(stat:)) == nil)
        #expect(parse("", ThreadStatus.state(stat:)) == nil)
        #expect(parse("1 (x)", ThreadStatus.state(stat:)) == nil)
    }

    private static let status = """
        Name:\tsleep
        Umask:\t0022
        State:\tS (sleeping)
        Tgid:\t30622
        TracerPid:\t4711
        voluntary_ctxt_switches:\t2
        nonvoluntary_ctxt_switches:\t5

        """

    @Test func readsTheStatusLines() {
        #expect(parse(Self.status, ThreadStatus.tracer(status:)) == 4711)
        #expect(parse(Self.status, ThreadStatus.contextSwitches(status:)) == 7)
        #expect(parse("Name:\tTracerPid\n", ThreadStatus.tracer(status:)) == nil)
        #expect(parse("", ThreadStatus.tracer(status:)) == nil)
    }

    @Test func readsThrottlingOfBothVersions() {
        let unified = "usage_usec 9\nuser_usec 8\nsystem_usec 1\nnr_periods 3\nnr_throttled 2\nthrottled_usec 250000\n"
        #expect(parse(unified, ThrottleStatistics.throttled(cpuStat:)) == .milliseconds(250))
        let first = "nr_periods 3\nnr_throttled 2\nthrottled_time 250000000\n"
        #expect(parse(first, ThrottleStatistics.throttled(cpuStat:)) == .milliseconds(250))
        #expect(parse("usage_usec 9\n", ThrottleStatistics.throttled(cpuStat:)) == nil)
    }

    @Test func readsStolenTime() {
        #expect(
            parse("cpu  1369134 70416 234821 526655 7259 0 9783 16257 0 0\ncpu0 1", HostProcessorTime.parse)?.stealTicks
                == 16_257)
        #expect(parse("cpu  1369134 70416 234821 526655\n", HostProcessorTime.parse) == nil)
    }
}
