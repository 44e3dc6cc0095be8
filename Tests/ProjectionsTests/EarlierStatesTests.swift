import Events
import TestSelection
import TestSupport
import Testing

@testable import Projections

@Suite("States at earlier positions")
struct EarlierStatesTests {
    @Test("are those of a fold, whoever kept them and read them", arguments: sample(0..<40, 6))
    func states(seed: Int) throws {
        var log = QuietLog(seed: UInt64(seed))
        var (state, earlier) = (LogState(), EarlierStates(interval: 50))
        var expected: [LogState] = []
        for _ in 0..<1_000 {
            state.take(log.next())
            guard earlier.isWanted(at: state.next) else { continue }
            let lastEvent = [UInt8(truncatingIfNeeded: state.next / 50)]
            earlier.keep(&state, lastEvent: lastEvent)
            expected.append(state)
        }
        #expect(earlier.count == 20 && earlier.hasNews)
        let again = try EarlierStates(bytes: earlier.bytes())
        #expect(!again.hasNews && again.bytes() == earlier.bytes())
        for end in 0...1_100 as ClosedRange<Position> {
            let found = again.last(notAfter: end) { next, last in
                last == [UInt8(truncatingIfNeeded: next / 50)]
            }
            #expect(found == (end < 50 ? nil : expected[min(Int(end) / 50, 20) - 1]))
        }
        #expect(again.last(notAfter: 500) { _, _ in false } == nil)
    }
}
