import Clocks
import Testing
import Words

@testable import PulselogCLI

@Suite("The doctor's look at the clock")
struct DoctorClockTests {
    private func result(_ wallMilliseconds: Int64, isTrusted: Bool) -> Diagnosis.Result {
        Diagnosis.clock(
            Arrival(
                bootMilliseconds: 1, wallMilliseconds: wallMilliseconds, isWallTrusted: isTrusted)
        ).result
    }

    @Test("calls a clock before 2024 one that was never set")
    func bound() {
        let bound: Int64 = 1_704_067_200_000
        for isTrusted in [true, false] {
            for never in [-1, 0, bound - 1] {
                #expect(result(never, isTrusted: isTrusted) == .problem)
            }
        }
        #expect(result(bound, isTrusted: false) == .warning)
        #expect(result(bound, isTrusted: true) == .ok)
    }
}
