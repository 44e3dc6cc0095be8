import Events
import Projections
import TestSupport
import Testing

@testable import Words

@Suite("Values that cannot be used")
struct ValueFaultTests {
    /// Values, and words of what is said of ten of them; nil for nothing.
    private static let oddValues: [(value: [UInt8], words: String?)] = [
        ([0x01, 72], "end early and cannot be read; they are kept. `pulselog decode 0148`"),
        ([0x00], "end early"), ([], "end early"), ([0x09, 72, 0, 1], "end early"),
        (
            [0x01, 0, 72],
            "says 18432 BPM, which is not credible: are its bytes in the wrong order?"
        ),
        ([0x01, 0x36, 0x01], "says 310 BPM, which is not credible. Take it off"),
        ([0x00, 12], "says 12 BPM"), ([0x48, 82, 58, 32, 55, 50], "another form than heart rates"),
        ([0x00, 72], nil), ([0x00, 0], nil), ([0x00, 255], nil), ([0x40, 72], nil),
        ([0x00, 72, 1], nil), ([0x04, 72], nil),
    ]

    @Test(
        "tells of values that cannot be used after ten in a row, until one can",
        arguments: oddValues)
    func faults(value: [UInt8], words: String?) {
        var listener = NarratorTests.Listener()
        for _ in 0..<9 { #expect(listener.heartRate(value) == nil) }
        _ = listener.heartRate([0x00, 80])
        for _ in 0..<9 { #expect(listener.heartRate(value) == nil) }
        let told = listener.heartRate(value)
        #expect(words.map { told?.contains($0) == true } ?? (told == nil), "\(told ?? "")")
        let row = listener.narrator.unreadable(NarratorTests.strap)
        #expect((row != nil) == (told != nil) && row?.contains("read. 10 came since") != false)
        #expect(listener.narrator.takeWithdrawn().isEmpty)
        #expect(listener.heartRate([0x00, 80]) == nil)
        #expect(listener.narrator.takeWithdrawn() == [row].compactMap { $0 })
        #expect(listener.narrator.unreadable(NarratorTests.strap) == nil)
    }

    @Test("greets a pedometer with its battery, and tells of readings that cannot be read")
    func pedometer() throws {
        var listener = NarratorTests.Listener()
        let pod = DeviceID(address: 0xC400_0000_0009, space: .random)
        try listener.state.evolve(
            RecordedEvent(
                .devicePaired(DevicePaired(device: pod, name: "Pod", roles: .footPod)), at: 0,
                Stamp(bootMilliseconds: 0, wallMilliseconds: 0, bootNumber: 0)))
        func read(_ value: [UInt8]) -> Event {
            let reading = PedometerRead.Reading.characteristic(
                .runningSpeedCadenceMeasurement, value)
            return .pedometerRead(PedometerRead(device: pod, reading: reading))
        }
        _ = listener.hear(.linkUp(LinkUp(device: pod)))
        #expect(listener.hear(read([0, 0, 1, 80])) == nil)
        listener.now += 3_000
        #expect(listener.hear(read([0, 0, 1, 80])) == "Strap One is connected.")
        // A slow one is told of after some time.
        #expect(listener.hear(read([0, 0])) == nil)
        listener.now += 12_000
        #expect(listener.hear(read([0, 0]))?.contains("Take its battery out") == true)
        #expect(listener.hear(read([0, 0, 1, 80])) == nil)
        #expect(listener.narrator.takeWithdrawn().count == 1)
    }
}
