import BluetoothCentral
import Testing

@testable import SimulatorModel

@Suite("The words of a trace")
struct TraceTests {
    @Test("name the members of a set in the order of their words")
    func sets() {
        let services: Set<BluetoothUUID> = [.heartRate, .runningSpeedAndCadence, .infiniTimeMotion]
        // The same set in a larger table has another order.
        var larger = Set<BluetoothUUID>(minimumCapacity: 10_000)
        for service in services { larger.insert(service) }
        let call = CentralCall.startDiscovery(adapter: "/hci0", services: services)
        let same = CentralCall.startDiscovery(adapter: "/hci0", services: larger)
        #expect(Trace.words(call) == Trace.words(same))
        let names = services.map { "\($0)" }.sorted().joined(separator: ", ")
        #expect(Trace.words(call) == "startDiscovery(adapter: /hci0, services: [\(names)])")
    }

    @Test("are Swift's own for what has no set")
    func others() {
        #expect(Trace.words(CentralInput.timePassed) == "timePassed")
        #expect(Trace.words(CentralInput.answered(CallID(7), .done)).hasPrefix("answered("))
        #expect(Trace.words(Act.dropLink(strap: 2)) == "dropLink(strap: 2)")
        #expect(Trace.words(Optional<Int>.none as Any) == "nil")
        #expect(Trace.words([1, 2]) == "[1, 2]")
    }
}
