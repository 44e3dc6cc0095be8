import BluetoothCentral
import Events
import JSON
import Testing
import Text

@testable import Words

/// What a scan shows while it listens.
@Suite("Scan list")
struct ScanListTests {
    private func see(_ number: UInt64, rssi: Int16, _ list: inout ScanList) {
        list.hear(.deviceSeen(DeviceSighting(address: BluetoothAddress(number), rssi: rssi)))
    }

    @Test("keeps to its limit: the strongest stay, and are followed")
    func limit() {
        var list = ScanList(.straps)
        for number in 1...UInt64(ScanList.limit) { see(number, rssi: -70, &list) }
        see(UInt64(ScanList.limit) + 1, rssi: -40, &list)
        see(1, rssi: -50, &list)
        see(UInt64(ScanList.limit) + 2, rssi: -90, &list)
        #expect(list.sightings.count == ScanList.limit)
        #expect(
            list.sightings.prefix(2).map(\.address.value) == [UInt64(ScanList.limit) + 1, 1])
        #expect(!list.sightings.contains { $0.rssi == -90 })
        #expect(list.lines(secondsLeft: .seconds(1), in: (80, 24)).count <= 24)
    }

    private static let devices = [
        DeviceSighting(address: BluetoothAddress(1), name: "Strap", services: [.heartRate]),
        DeviceSighting(
            address: BluetoothAddress(2), name: "Watch", services: [.heartRate, .infiniTimeMotion]),
        DeviceSighting(
            address: BluetoothAddress(3), name: "Pod", services: [.runningSpeedAndCadence]),
        DeviceSighting(address: BluetoothAddress(4), name: "Ring\u{1B}[2J"),
    ]

    @Test(
        "says of each device what the list is about",
        arguments: [
            (.roles, ["strap", "heart and steps", "pedometer", ""]),
            (
                .any,
                [
                    "heart rate (180D)", "heart rate (180D) and steps (InfiniTime)",
                    "pace and cadence (1814)", "advertises no service",
                ]
            ),
        ] as [(ScanList.Kind, [String])])
    func notes(kind: ScanList.Kind, notes: [String]) {
        var list = ScanList(kind)
        for device in Self.devices { list.hear(.deviceSeen(device)) }
        #expect(list.lines.count == 5)
        for (line, note) in zip(list.lines.dropFirst(), notes) { #expect(line.hasSuffix(note)) }
        #expect(list.lines.allSatisfy { $0.unicodeScalars.allSatisfy { $0.value >= 0x20 } })
    }

    @Test("shows a device whose name is blank as one without a name")
    func blank() {
        var list = ScanList(.straps)
        for (number, name) in [nil, "", " \t"].enumerated() {
            list.hear(
                .deviceSeen(DeviceSighting(address: BluetoothAddress(UInt64(number)), name: name)))
        }
        #expect(list.lines.dropFirst().allSatisfy { $0.contains("(no name)") })
        #expect(deviceTitle("  ", BluetoothAddress(1)) == "00:00:00:00:00:01")
        #expect(deviceTitle("", BluetoothAddress(1)) == "00:00:00:00:00:01")
        #expect(deviceTitle("Strap", BluetoothAddress(1)) == "Strap")
    }

    @Test("shows how strong a signal is in bars")
    func bars() {
        var list = ScanList(.straps)
        for (number, rssi) in ([127, -59, -60, -79, -80] as [Int16]).enumerated() {
            see(UInt64(number), rssi: rssi, &list)
        }
        let bars = list.lines.dropFirst().map { $0.dropFirst(19).prefix(3) }
        #expect(bars == [" ? ", "▂▄▆", "▂▄ ", "▂▄ ", "▂  "])
    }

    @Test("shows a strap that is linked as linked, before those that are only remembered")
    func linked() {
        var list = ScanList(.straps)
        list.hear(.deviceSeen(DeviceSighting(address: BluetoothAddress(1), isStale: true)))
        let linked = DeviceSighting(address: BluetoothAddress(2), isStale: true, isLinked: true)
        list.hear(.deviceSeen(linked))
        list.hear(.deviceSeen(DeviceSighting(address: BluetoothAddress(3), rssi: -90)))
        #expect(list.sightings.map(\.address.value) == [3, 2, 1])
        let ends = list.lines.dropFirst().map { $0.hasSuffix("linked") }
        #expect(ends == [false, true, false])
        #expect(list.lines.last?.hasSuffix("remembered") == true)
        let fields = list.sightings.map { String(decoding: $0.jsonLine, as: UTF8.self) }
        #expect(fields.map { $0.contains("\"linked\":true") } == [false, true, false])
    }

    @Test("names the way to hear more in silence, and speaks of moisture to straps only")
    func silence() {
        for (kind, scan) in [
            (.straps, .services([.heartRate])), (.roles, .services(BluetoothUUID.roleServices)),
            (.any, .all),
        ] as [(ScanList.Kind, CentralDesire.Scan)] {
            let list = ScanList(kind)
            #expect(list.scan == scan)
            #expect(list.silence.contains("`pulselog scan --any`") == (kind != .any))
            let listening = list.lines(secondsLeft: .seconds(1), in: (120, 24)).joined()
            for text in [list.silence, listening] {
                #expect(text.contains("moisten") == (kind == .straps), "\(text)")
            }
        }
    }

    @Test("lets only bus and adapter take the place of what to do")
    func trouble() {
        var list = ScanList(.straps)
        list.hear(.intakeFinding(.unexpectedType, count: 1))
        list.hear(.connecting(DeviceSighting(address: BluetoothAddress(1)), attempt: 1))
        #expect(list.trouble == nil)
        list.hear(.adapterStateChanged(AdapterChange(.poweredOff, .switched)))
        #expect(list.trouble?.contains("switched off") == true)
        list.hear(.adapterStateChanged(AdapterChange(.poweredOn, .switched)))
        #expect(list.trouble == nil)
        let noBus = CallFailure(name: "org.bluez.Error.Failed", message: "no bus")
        list.hear(.busUnavailable(noBus, nextAttemptMilliseconds: 1_000))
        #expect(list.trouble?.contains("`pulselog doctor`") == true)
    }
}
