import Events
import TestSupport
import Testing

/// One event of each kind with its bytes, put together by hand from the record format page.
///
/// They are what stands in logs that exist. If one of these tests fails, the code is wrong.
@Suite("Record format, version 1")
struct PayloadGoldenTests {
    /// An event and the bytes of its payload.
    struct Vector: CustomTestStringConvertible {
        var hex: String
        var event: Event

        init(_ hex: String, _ event: Event) {
            (self.hex, self.event) = (hex, event)
        }

        var testDescription: String { event.kind.testDescription }
    }

    static let device = DeviceID(address: 0xC400_0000_0001, space: .random)
    /// The address lowest byte first, then 1 for random.
    static let d = "0100000000c4 01"
    static let date = CivilDate("2026-03-01") ?? .epoch

    static func digest(_ byte: UInt8) -> [UInt8] { [UInt8](repeating: byte, count: 32) }

    static var imperial: Preferences {
        var preferences = Preferences()
        preferences.lengthUnit = OpenCode(.miles)
        preferences.massUnit = OpenCode(.pounds)
        (preferences.alertAboveBPM, preferences.alertBelowBPM) = (150, 100)
        preferences.autoLapMillimetres = 1_000_000
        preferences.autoPause = true
        return preferences
    }

    static let control = [
        Vector(
            "03 312e30  78  03 434554",
            .recorderStarted(
                RecorderStarted(programVersion: "1.0", zoneOffsetMinutes: 60, zoneName: "CET"))),
        Vector("01", .recorderStopped(RecorderStopped(reason: .signal))),
        Vector(
            "78  f001  04 43455354",
            .zoneOffsetChanged(
                ZoneOffsetChanged(fromMinutes: 60, toMinutes: 120, zoneName: "CEST"))),
        Vector("8727", .clockStepped(ClockStepped(stepMilliseconds: -2_500))),
        Vector("01  ac02", .intakeOverflowed(IntakeOverflowed(intake: .health, lostEvents: 300))),
        Vector(
            "01 880e  01 f8c904  00  01 be01  00  01 64 8c01 b401  02",
            .profileChanged(
                Profile(
                    heightMillimetres: 1_800, weightGrams: 75_000, maximumHeartRateBPM: 190,
                    zones: .limits, zoneLimits: [100, 140, 180], stepsPerCadenceCount: 2))),
        Vector(
            "05 612e666974  03 666974" + String(repeating: "ab", count: 32),
            .importBegan(ImportBegan(fileName: "a.fit", format: "fit", sha256: digest(0xAB)))),
        Vector("e807  02", .importEnded(ImportEnded(importedEvents: 1_000, findings: 2))),
        Vector("02 6f6b  02 6d65", .noted(Noted(text: "ok", author: "me"))),
        Vector(
            "000102030405060708090a0b0c0d0e0f  d704  03 455354",
            .bootBegan(
                BootBegan(bootID: [UInt8](0...15), zoneOffsetMinutes: -300, zoneName: "EST"))),
        Vector("01  01 01 78", .originBegan(OriginBegan(cause: .restored, checkpoint: "x"))),
    ]

    static let link = [
        Vector(
            "05  04  04 68636930",
            .adapterStateChanged(
                AdapterStateChanged(state: .poweredOn, cause: .switched, adapter: "hci0"))),
        Vector(
            d + "01 02 c3a9  01 77  05",
            .deviceSeen(
                DeviceSeen(device: device, name: "\u{E9}", rssi: -60, roles: [.heart, .watch]))),
        Vector(d + "00  01", .devicePaired(DevicePaired(device: device, roles: .heart))),
        Vector(d, .deviceForgotten(DeviceForgotten(device: device))),
        Vector("01  00", .primaryChosen(PrimaryChosen(role: .pedometer))),
        Vector(
            d + "03  01 dc0b",
            .linkUp(LinkUp(device: device, attempt: 3, connectMilliseconds: 1_500))),
        Vector(d + "01  00", .linkLost(LinkLost(device: device, cause: .remote))),
        Vector(d + "01", .subscribed(Subscribed(device: device))),
        Vector(d + "01  02", .deliveryMultiplied(DeliveryMultiplied(device: device, factor: 2))),
        Vector(
            d + "01  01 45  00",
            .connectFailed(ConnectFailed(device: device, attempt: 1, error: "E"))),
        Vector(d + "01", .contactChosen(ContactChosen(device: device, ignored: true))),
    ]

    static let heart = [
        Vector(
            d + "01  04 1653b402",
            .characteristicNotified(
                CharacteristicNotified(device: device, value: [0x16, 0x53, 0xB4, 0x02]))),
        Vector(
            d + "02  01 01",
            .characteristicRead(
                CharacteristicRead(
                    device: device, characteristic: .bodySensorLocation, value: [1]))),
        Vector(
            d + "01  d804  02 0048",
            .valueCut(ValueCut(device: device, fullLength: 600, value: [0, 0x48]))),
    ]

    static let steps = [
        Vector(
            d + "00 e541  00",
            .pedometerRead(PedometerRead(device: device, reading: .counter(8_421)))),
        Vector(
            d + "06 04 e5200000  01 01",
            .pedometerRead(
                PedometerRead(
                    device: device,
                    reading: .characteristic(.infiniTimeStepCount, [0xE5, 0x20, 0, 0]),
                    distanceMillimetres: 1))),
        Vector(
            "c2c002  bb3f  00  05 70686f6e65",
            .healthTotalObserved(HealthTotalObserved(date: date, total: 8_123, origin: "phone"))),
        Vector(
            "03  01 bb3f  01 02  c2c002  78",
            .reconciliationTriggered(
                ReconciliationTriggered(
                    trigger: .manual, healthTotal: 8_123, validUntilMilliseconds: 1, date: date,
                    offsetMinutes: 60))),
        Vector("c2c002  00", .legacyValueImported(LegacyValueImported(date: date))),
        Vector(
            "c2c002  c701  00  02 6d65",
            .stepsCorrected(StepsCorrected(date: date, correction: -100, author: "me"))),
        Vector("01" + d + "01", .pedometerChosen(PedometerChosen(device: device))),
        Vector(
            d + "05  8104  01 07",
            .pedometerValueCut(PedometerValueCut(device: device, fullLength: 513, value: [7]))),
        Vector(
            "01 61  02 6263  80897a  0f  e541",
            .stepSampleObserved(
                StepSampleObserved(
                    origin: "a", countedBy: "bc", beganAtMilliseconds: 1_000_000,
                    endedAtMilliseconds: -8, steps: 8_421))),
        Vector(
            "c2c002  01 07  80897a  02 6263  02 6d65",
            .setAsideTaken(
                SetAsideTaken(
                    date: date, reading: 7, steps: 2_000_000, reason: "bc", author: "me"))),
    ]

    static let rest = [
        Vector(
            "01 f02e  01  0000000000 00 01",
            .sessionStarted(
                SessionStarted(goal: Goal(kind: .steps, target: 6_000), outAndBack: true))),
        Vector("01 bc0f  01 00", .walkerDescribed(Walker(birthYear: 1_980, sex: .female))),
        Vector("00  00", .walkerDescribed(Walker())),
        Vector("00 00 00 00 00 00", .preferencesChanged(Preferences())),
        Vector("01 01  01 9601  01 64  01 c0843d  01", .preferencesChanged(imperial)),
        Vector("", .sessionPaused(SessionPaused())),
        Vector("01", .lapMarked(LapMarked(cause: .byDistance))),
        Vector("00", .heightErrorTold(HeightErrorTold())),
        Vector("d827", .heightErrorTold(HeightErrorTold(errorMillimetres: 5_080))),
        Vector("00 00 00 00", .positionSourceTold(PositionSourceTold())),
        Vector(
            "01 02 5048 01 50 01",
            .positionSourceTold(
                PositionSourceTold(
                    .ownTracks, name: "PH", batteryPercent: 80, leftOut: .network))),
        Vector("", .standstillBegan(StandstillBegan())),
        Vector("", .standstillEnded(StandstillEnded())),
        Vector("", .sessionResumed(SessionResumed())),
        Vector("02", .sessionEnded(SessionEnded(reason: .leftOpen))),
        Vector("04", .sessionEnded(SessionEnded(reason: .atLastEvent))),
        Vector("05", .sessionEnded(SessionEnded(reason: .takenOff))),
        Vector("06", .sessionEnded(SessionEnded(reason: .leftPaused))),
        Vector("04 68696c6c", .sessionMarked(SessionMarked(text: "hill"))),
        Vector("02 c096b102", .goalReached(Goal(kind: .distance, target: 5_000_000))),
        Vector("03 e0e5a401", .turnAroundReached(Goal(kind: .duration, target: 2_700_000))),
        Vector("ac02" + d + "01", .deviceExcluded(DeviceExcluded(session: 300, device: device))),
        Vector(
            "ac02  01 05 4c6f6f70 7a  00  00  01 00  01 01  00",
            .sessionDescribed(
                SessionDescribed(session: 300, sessionName: "Loopz", tags: "", sport: .hike))),
        Vector(
            "ac02  00  00  00  00  00  01 01",
            .sessionDescribed(SessionDescribed(session: 300, listing: .hidden))),
        Vector(
            "ffa3a7da06  01  00  01 8827  00  01 07  00",
            .positionFixed(
                PositionFixed(north: -900_000_000, east: -1, within: 5_000, satellites: 7))),
        Vector(
            "c2c002  78  e541  828201  0a  c801" + String(repeating: "11", count: 32)
                + String(repeating: "22", count: 32),
            .dayClosed(
                DayClosed(
                    date: date, offsetMinutes: 60, displayed: 8_421, corrected: 8_321,
                    firstStepsIndex: 10, endStepsIndex: 200, stepsSHA256: digest(0x11),
                    previousDaySHA256: digest(0x22)))),
        Vector(
            "c2c002  01 78  e541  8141  01 e141  01  d825  02  20"
                + String(repeating: "33", count: 32),
            .dayRecorded(
                DayRecorded(
                    date: date, offsetMinutes: 60, displayed: 8_421, corrected: 8_321,
                    displayedAtEnd: 8_417, corrections: 1, walked: 4_824, stepsPerCadenceCount: 2,
                    eventCount: 32, eventsSHA256: digest(0x33)))),
        Vector(
            "c2c002  00  a01f  a01f  00  00  00  01  01" + String(repeating: "44", count: 32),
            .dayRecorded(
                DayRecorded(
                    date: date, displayed: 4_000, corrected: 4_000, eventCount: 1,
                    eventsSHA256: digest(0x44)))),
    ]

    static let vectors = control + link + heart + steps + rest

    @Test("writes and reads the page's bytes", arguments: vectors)
    func golden(_ vector: Vector) throws {
        let payload = bytes(vector.hex)
        #expect(try hex(vector.event.encodedPayload()) == hex(payload))
        #expect(decoded(vector.event.kind, payload) == .success(vector.event))
    }

    @Test("has an example of every kind")
    func complete() {
        #expect(Set(Self.vectors.map(\.event.kind)) == Set(EventKind.known))
    }

    @Test("names the devices whose bytes the payload has", arguments: vectors)
    func devices(_ vector: Vector) {
        #expect(vector.event.devices == (vector.hex.contains(Self.d) ? [Self.device] : []))
    }

    @Test("makes the canonical bytes of an event")
    func canonicalBytes() {
        let header = EventHeader(
            .sessionEnded, Stamp(bootMilliseconds: 300, wallMilliseconds: -1, bootNumber: 2),
            at: 77, flags: [.wallTrusted, .simulated], source: 1)
        let payload: [UInt8] = [2]
        let canonical = header.canonicalBytes(laneIndex: 128, payload: payload.span)
        // index 128, source 1, boot 300, wall -1, boot number 2, flags, kind, version, payload
        #expect(hex(canonical) == hex(bytes("8001 01 ac02 01 02 03 84 01 01 02")))
    }
}
