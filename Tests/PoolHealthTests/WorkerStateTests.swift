import Testing

@testable import PoolHealth

@Suite struct WorkerStateTests {
    private static let parkingPlace: UInt = 0x7f00_1000

    private func classify(
        _ call: SystemCall, wait: WaitKind = .futex, disk: Bool = false, cpu: UInt64 = 0, queue: UInt64 = 0
    ) -> WorkerState {
        WorkerState.classify(
            call, wait: wait, isInDiskSleep: disk,
            progress: ScheduleStatistics(cpuNanoseconds: cpu, waitNanoseconds: queue, timeslices: 1),
            isParkingPlace: { $0 == Self.parkingPlace })
    }

    private func inside(_ argument: UInt) -> SystemCall {
        .inside(number: 202, firstArgument: argument, stackPointer: 1, programCounter: 2)
    }

    @Test func tellsRunningFromWaitingForAProcessorByWhatItGot() {
        #expect(classify(.running, cpu: 60, queue: 40) == .running)
        #expect(classify(.running, cpu: 40, queue: 60) == .runnable)
    }

    @Test func aFutexOfTheRootQueueIsParkedAndAnotherOneIsBlocked() {
        #expect(classify(inside(Self.parkingPlace)) == .parked)
        #expect(classify(inside(Self.parkingPlace + 8)) == .blocked(.futex))
    }

    @Test func theParkingPlaceAsAnotherCallsArgumentIsNoParking() {
        #expect(classify(inside(Self.parkingPlace), wait: .read) == .blocked(.read))
    }

    @Test func diskSleepGoesBeforeTheCall() {
        #expect(classify(inside(3), wait: .read, disk: true) == .blocked(.disk))
        #expect(classify(.outside(stackPointer: 1, programCounter: 2), disk: true) == .blocked(.disk))
        #expect(classify(.outside(stackPointer: 1, programCounter: 2)) == .blocked(.other))
    }
}
