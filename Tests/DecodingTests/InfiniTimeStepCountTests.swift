import Decoding
import TestSupport
import Testing

@Suite("InfiniTimeStepCount")
struct InfiniTimeStepCountTests {
    @Test(
        "reads four bytes, the least first",
        arguments: [
            ("00000000", 0, 0), ("01000000", 1, 0), ("e5200000", 8421, 0),
            ("78563412", 0x1234_5678, 0), ("00000080", 2_147_483_648, 0),
            ("ffffffff", 4_294_967_295, 0), ("0100000099", 1, 1),
        ] as [(String, UInt32, Int)])
    func readsSteps(_ hex: String, _ steps: UInt32, _ trailing: Int) throws {
        let count = try InfiniTimeStepCount(decoding: bytes(hex).span)
        #expect(count.steps == steps)
        #expect(count.trailingByteCount == trailing)
    }

    @Test("rejects fewer than four bytes", arguments: 0..<4)
    func rejectsShortValues(_ length: Int) {
        let value = [UInt8](repeating: 1, count: length)
        let error = MalformedMeasurement(code: .truncated, field: .stepCount, offset: length)
        #expect(outcome(InfiniTimeStepCount.self, value) == .failure(error))
    }
}
