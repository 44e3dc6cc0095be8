import Testing

@testable import Threads

@Suite("A value that many read, or one changes", .timeLimit(.minutes(5)))
struct GateTests {
    @Test("is not waited for by whoever only looks, and is by whoever reads")
    func change() throws {
        let value = RWLocked(1)
        let (begun, reading, looked) = (Bell(), Bell(), Bell())
        let changing = try OwnThread {
            value.change { value in
                begun.ring()
                #expect(looked.wait(atMost: .seconds(600)))
                value = 2
            }
        }
        #expect(begun.wait(atMost: .seconds(600)))
        let reader = try OwnThread {
            #expect(value.read { $0 } == 2)
            reading.ring()
        }
        #expect(value.readNow { $0 } == nil)
        looked.ring()
        #expect(reading.wait(atMost: .seconds(600)))
        changing.join()
        reader.join()
        #expect(value.readNow { $0 } == 2)
    }
}
