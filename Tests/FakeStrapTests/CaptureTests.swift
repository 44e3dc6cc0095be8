import BluetoothCentral
import Events
import Interchange
import TestSupport
import Testing

@testable import DaemonModel

@Suite("Captures")
struct CaptureTests {
    static let device = DeviceID(address: 0xC400_0000_0001, space: .random)

    /// A file of events, each at a time in milliseconds.
    static func capture(_ events: [(UInt64, Event)], source: UInt32 = 0) throws -> [UInt8] {
        var file: [UInt8] = []
        for (index, (time, event)) in events.enumerated() {
            let stamp = Stamp(boot: 50_000 + time, wall: 1_790_000_000_000 + Int64(time))
            let header = EventHeader(
                event.kind, stamp, at: UInt64(index), source: source, version: event.version)
            file += try RecordedEvent(header: header, event: event).withView {
                (event) throws(FieldError) in try JSONLines.encode(event)
            }
        }
        return file
    }

    static func heart(_ bytes: UInt8...) -> Event {
        .characteristicNotified(CharacteristicNotified(device: device, value: bytes))
    }

    static func battery(_ level: UInt8) -> Event {
        .characteristicRead(
            CharacteristicRead(device: device, characteristic: .batteryLevel, value: [level]))
    }

    /// A walk with a loss of the link.
    static let walk: [(UInt64, Event)] = [
        (0, .adapterStateChanged(AdapterStateChanged(state: .poweredOn))),
        (
            200,
            .deviceSeen(DeviceSeen(device: device, name: "Strap One", rssi: -61, roles: .heart))
        ),
        (900, .linkUp(LinkUp(device: device))),
        (1_000, .subscribed(Subscribed(device: device))),
        (1_100, battery(87)),
        (2_000, heart(0x16, 60, 0, 4)),
        (3_000, heart(0x16, 60, 0, 4)),
        (4_500, .linkLost(LinkLost(device: device))),
        (13_000, .linkUp(LinkUp(device: device, attempt: 4))),
        (13_300, battery(86)),
        (14_000, heart()),
        (15_000, .linkLost(LinkLost(device: device, cause: .requested))),
    ]

    @Test("become straps and steps, from the strap on that sent first")
    func steps() throws {
        let watch = DeviceID(address: 0xC400_0000_0002, space: .random)
        let paired = DevicePaired(device: watch, name: "Footstep", roles: .watch)
        let scenario = try Scenario(
            capture: try Self.capture([(0, .devicePaired(paired))] + Self.walk))
        #expect(scenario.straps.map(\.name) == ["Footstep", "Strap One"])
        let strap = scenario.straps[1]
        #expect(strap.address == "C4:00:00:00:00:01")
        #expect(strap.addressType == "random")
        #expect(strap.rssi == -61)
        // Only what the capture tells of is there.
        #expect(
            strap.services.flatMap(\.characteristics).map(\.uuid) == [
                .heartRateMeasurement, .batteryLevel,
            ])
        #expect(strap.services.last?.characteristics.first?.value == [87])
        #expect(
            scenario.parts == [
                [
                    .wait(.subscribed(strap: 1, nil), limitMilliseconds: nil),
                    .pause(milliseconds: 1_000),
                    .act(.notify(strap: 1, .heartRateMeasurement, [0x16, 60, 0, 4])),
                    .pause(milliseconds: 1_000),
                    .act(.notify(strap: 1, .heartRateMeasurement, [0x16, 60, 0, 4])),
                    .pause(milliseconds: 1_500),
                    .act(.drop(strap: 1)),
                    .act(.setValue(strap: 1, .batteryLevel, [86])),
                    .pause(milliseconds: 8_500),
                    .act(.advertise(strap: 1, true)),
                    .pause(milliseconds: 1_000),
                    .act(.notify(strap: 1, .heartRateMeasurement, [])),
                ]
            ])
    }
}
