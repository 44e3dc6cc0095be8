import Testing

@testable import Words

@Suite("Heart rates in doubt")
struct HeartRateDoubtTests {
    @Test("are what no monitor has to show, and nothing else")
    func doubts() {
        for bpm: UInt16 in [1, 20, 29, 251, 300, .max] { #expect(HeartRateDoubt.note(bpm) != nil) }
        for bpm: UInt16 in [0, 30, 72, 250] { #expect(HeartRateDoubt.note(bpm) == nil) }
    }
}
