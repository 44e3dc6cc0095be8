import Events
import Foundation
import Interchange
import TestSelection
import TestSupport
import Testing
import Text

/// What tells whose events are is taken from them, whatever field of whatever kind it stands in.
@Suite("Anonymity")
struct AnonymityTests {
    static let firstDay = CivilDate("2026-03-01") ?? .epoch
    /// 2026-03-01T09:00:00Z.
    static let morning: Int64 = 1_772_355_600_000
    static let day: Int64 = 86_400_000

    func cleaned(
        _ event: Event, by anonymity: inout Anonymity, wall: Int64 = morning,
        flags: EventFlags = .wallTrusted
    ) throws -> RecordedEvent? {
        let header = header(event.kind, flags: flags, wall: wall)
        return try RecordedEvent(header: header, event: event).withView { anonymity.cleaned($0) }
    }

    // MARK: - Every field of every kind

    /// Every field of the event table that may tell whose an event is, by kind.
    ///
    /// Who adds one decides what becomes of it in `AnonymousFields` and `StandIns`, says so on the
    /// page AnonymousEvents, and adds it here.
    static let reviewed: Set<String> = [
        "recorderStarted text programVersion", "recorderStarted signed zoneOffsetMinutes",
        "recorderStarted text zoneName", "zoneOffsetChanged signed fromMinutes",
        "zoneOffsetChanged signed toMinutes", "zoneOffsetChanged text zoneName",
        "clockStepped signed stepMilliseconds", "importBegan text fileName",
        "importBegan text format", "importBegan fixedBytes sha256", "noted text text",
        "noted text author", "bootBegan fixedBytes bootID", "bootBegan signed zoneOffsetMinutes",
        "bootBegan text zoneName", "originBegan text checkpoint",
        "adapterStateChanged text adapter", "deviceSeen device device", "deviceSeen text name",
        "deviceSeen signed rssi", "devicePaired device device", "devicePaired text name",
        "positionSourceTold text name",
        "deviceForgotten device device", "primaryChosen device device", "linkUp device device",
        "linkLost device device", "linkLost text reason", "subscribed device device",
        "deliveryMultiplied device device", "connectFailed device device",
        "connectFailed text error", "connectFailed text message",
        "contactChosen device device",
        "characteristicNotified device device", "characteristicNotified bytes value",
        "characteristicRead device device", "characteristicRead bytes value",
        "valueCut device device", "valueCut bytes value", "pedometerRead device device",
        "healthTotalObserved date date", "healthTotalObserved signed validUntilMilliseconds",
        "healthTotalObserved text origin", "reconciliationTriggered signed validUntilMilliseconds",
        "reconciliationTriggered date date", "reconciliationTriggered signed offsetMinutes",
        "legacyValueImported date date", "stepsCorrected date date",
        "stepsCorrected signed correction", "stepsCorrected text reason",
        "stepsCorrected text author", "pedometerChosen device device",
        "pedometerValueCut device device", "pedometerValueCut bytes value",
        "stepSampleObserved text origin", "stepSampleObserved text countedBy",
        "stepSampleObserved signed beganAtMilliseconds",
        "stepSampleObserved signed endedAtMilliseconds", "setAsideTaken date date",
        "setAsideTaken text reason", "setAsideTaken text author", "sessionMarked text text",
        "deviceExcluded device device",
        "sessionDescribed text sessionName", "sessionDescribed text place",
        "sessionDescribed text note", "sessionDescribed text tags",
        "positionFixed signed latitudeE7", "positionFixed signed longitudeE7",
        "positionFixed signed altitudeMillimetres", "positionFixed signed fixedAtMilliseconds",
        "dayClosed date date", "dayClosed signed offsetMinutes", "dayClosed signed corrected",
        "dayClosed fixedBytes stepsSHA256", "dayClosed fixedBytes previousDaySHA256",
        "dayRecorded date date", "dayRecorded signed offsetMinutes",
        "dayRecorded fixedBytes eventsSHA256",
    ]

    @Test("has an answer for every field of the event table")
    func fieldsOfTheTable() throws {
        var found: Set<String> = []
        for kind in EventKind.known {
            var planted = PlantedFields()
            _ = try Event(kind: kind, fields: &planted)
            for field in planted.fields { found.insert("\(kind.name ?? "") \(field)") }
        }
        #expect(found.subtracting(Self.reviewed).sorted() == [], "new fields")
        #expect(Self.reviewed.subtracting(found).sorted() == [], "fields that are gone")
    }

    @Test("leaves nothing of what was planted in any field", arguments: EventKind.known)
    func planted(_ kind: EventKind) throws {
        var planted = PlantedFields()
        let event = try #require(try Event(kind: kind, fields: &planted))
        let wall = PlantedFields.instant
        for track in [Anonymity.Track.leftOut, .turned] {
            var anonymity = Anonymity(
                firstDay: CivilDate(wallMilliseconds: wall, zoneOffsetMinutes: 0), track: track)
            let recorded = RecordedEvent(
                header: header(kind, flags: .wallTrusted, wall: wall), event: event)
            let original = String(decoding: recorded.jsonLine, as: UTF8.self)
            #expect(planted.secrets.allSatisfy { original.contains($0) })
            guard let cleaned = try recorded.withView({ anonymity.cleaned($0) }) else { continue }
            let line = String(decoding: cleaned.jsonLine, as: UTF8.self)
            for secret in planted.secrets + ["\(wall / Self.day)", "2031"] {
                #expect(!line.contains(secret), "\(secret) in \(line)")
            }
            #expect(!line.contains("\(wall)"))
        }
    }

    @Test(
        "gives events that can be read again, whatever stood in them",
        arguments: sample(0..<200, 20))
    func random(seed: Int) throws {
        var fields = RandomFields(seed: UInt64(seed))
        var anonymity = Anonymity(firstDay: Self.firstDay, track: .turned)
        for kind in EventKind.known {
            let event = fields.event(kind)
            guard let cleaned = try cleaned(event, by: &anonymity) else { continue }
            let line = try JSONLines.decode(line: cleaned.jsonLine, number: 1)
            #expect(try line.payload == cleaned.event.encodedPayload(), "seed \(seed)")
        }
        let omissions = anonymity.omissions
        #expect(omissions.unreadable == 0 && omissions.positions == 0 && omissions.days == 2)
    }

    // MARK: - What stands in place of it

    @Test("gives the same stand-in for the same device, in the order in which they appear")
    func devices() throws {
        var anonymity = Anonymity(firstDay: Self.firstDay, track: .leftOut)
        let addresses: [(UInt64, DeviceID.Space)] = [
            (0xC400_0000_0009, .random), (7, .public), (0xC400_0000_0009, .random),
            (0xC400_0000_0009, .public),
        ]
        let standIns = try addresses.map { address, space in
            let device = DeviceID(address: address, space: space)
            let cleaned = try cleaned(.linkUp(LinkUp(device: device)), by: &anonymity)
            return cleaned?.event.devices.first?.description
        }
        #expect(
            standIns == [1, 2, 1, 3].map { "other/00:00:00:00:00:0\($0)" })
    }

    @Test("tells names apart without telling them, and keeps a program's own words")
    func texts() throws {
        var anonymity = Anonymity(firstDay: Self.firstDay, track: .leftOut)
        let device = DeviceID(address: 1, space: .random)
        func name(_ name: String?) throws -> String? {
            let event = Event.deviceSeen(
                DeviceSeen(device: device, name: name, rssi: -60, roles: .heart))
            guard case .deviceSeen(let seen)? = try cleaned(event, by: &anonymity)?.event else {
                return "?"
            }
            return seen.name
        }
        #expect(try name("Ann's strap") == "device 1")
        #expect(try name("Bob's strap") == "device 2")
        #expect(try name("Ann's strap") == "device 1")
        #expect(try name("") == "")
        #expect(try name(nil) == nil)
        func reason(_ reason: String) throws -> String? {
            let event = Event.linkLost(LinkLost(device: device, cause: .timeout, reason: reason))
            guard case .linkLost(let lost)? = try cleaned(event, by: &anonymity)?.event else {
                return "?"
            }
            return lost.reason
        }
        #expect(
            try reason("org.bluez.Reason.Timeout: Ann's laptop") == "org.bluez.Reason.Timeout")
        #expect(try reason("org.bluez.Ann's: x") == "removed")
        #expect(try reason("Ann") == "removed")
    }

    @Test("moves dates by whole days, and leaves the time of the day and the zone")
    func dates() throws {
        var anonymity = Anonymity(firstDay: Self.firstDay, track: .leftOut)
        let event = Event.reconciliationTriggered(
            ReconciliationTriggered(
                trigger: .observer, healthTotal: 5, validUntilMilliseconds: Self.morning - 1,
                date: CivilDate("2026-03-08") ?? .epoch, offsetMinutes: 60))
        let clean = try #require(
            try cleaned(event, by: &anonymity, wall: Self.morning + 7 * Self.day))
        guard case .reconciliationTriggered(let payload) = clean.event else { return }
        #expect(payload.date.description == "2024-01-09" && payload.offsetMinutes == 60)
        let moved = clean.header.stamp.wallMilliseconds
        #expect(TimeText.utc(moved) == "2024-01-09T09:00:00.000Z")
        #expect(payload.validUntilMilliseconds == moved - 7 * Self.day - 1)
    }

    @Test("does not tell the date by the step of a clock that was never set")
    func clockSteps() throws {
        var anonymity = Anonymity(firstDay: Self.firstDay, track: .leftOut)
        let unset: Int64 = 90_000
        let early = try #require(
            try cleaned(.sessionPaused(SessionPaused()), by: &anonymity, wall: unset, flags: []))
        #expect(early.header.stamp.wallMilliseconds == unset)
        func step(_ milliseconds: Int64, wall: Int64, _ flags: EventFlags) throws -> Int64? {
            let event = Event.clockStepped(ClockStepped(stepMilliseconds: milliseconds))
            let clean = try cleaned(event, by: &anonymity, wall: wall, flags: flags)
            guard case .clockStepped(let payload)? = clean?.event else { return nil }
            return payload.stepMilliseconds
        }
        let moved = try step(Self.morning - unset, wall: Self.morning, .wallTrusted)
        let first = Anonymity.firstDate.daysSinceEpoch * Self.day + 9 * 3_600_000
        #expect(moved == first - unset)
        #expect(try step(3_600_000, wall: Self.morning + 3_600_000, .wallTrusted) == 3_600_000)
        #expect(try step(unset - Self.morning, wall: unset, []) == unset - first)
    }

    @Test("leaves out what it cannot read, and counts it")
    func unreadable() throws {
        var anonymity = Anonymity(firstDay: Self.firstDay, track: .leftOut)
        let events: [(UInt8, UInt16, [UInt8])] = [
            (0x5F, 1, [1, 2]), (0x41, 2, [0]), (0x09, 1, [200]), (0x84, 1, [0, 0]),
        ]
        for (kind, version, payload) in events {
            let header = header(EventKind(rawValue: kind), version: version)
            let cleaned = EventView.lend(header, payload: payload.span) { anonymity.cleaned($0) }
            #expect(cleaned == nil)
        }
        let fix = Event.positionFixed(PositionFixed(latitudeE7: 1, longitudeE7: 2))
        #expect(try cleaned(fix, by: &anonymity) == nil)
        #expect(try cleaned(.dayClosed(DayClosed()), by: &anonymity) == nil)
        #expect(try cleaned(.dayRecorded(DayRecorded()), by: &anonymity) == nil)
        let omissions = anonymity.omissions
        #expect(omissions.unreadable == 4 && omissions.positions == 1 && omissions.days == 2)
    }

    @Test("turns a track about the Earth's axis, across the date line as well")
    func track() throws {
        var anonymity = Anonymity(firstDay: Self.firstDay, track: .turned)
        let places: [(Int64, Int64, Int64?)] = [
            // What no receiver found would tell where everything else is.
            (0, 0, 65_535_000),
            (480_000_000, 1_799_999_000, nil), (480_000_100, -1_799_999_500, 519_000),
            (-1, 0, 520_000), (0, 1, 518_000),
        ]
        let turned = try places.map { latitude, longitude, altitude in
            let fix = PositionFixed(north: latitude, east: longitude, height: altitude)
            guard
                case .positionFixed(let fix)? = try cleaned(.positionFixed(fix), by: &anonymity)?
                    .event
            else { return "?" }
            let height = fix.altitudeMillimetres.map { "\($0)" } ?? "-"
            return "\(fix.latitudeE7) \(fix.longitudeE7) \(height)"
        }
        #expect(
            turned == [
                "0 0 -9999000", "480000000 0 -", "480000100 1500 4000000",
                "-1 -1799999000 4001000", "0 -1799998999 3999000",
            ])
    }
}

/// A coder that plants something unmistakable in every field that can hold it, and lists the
/// fields.
struct PlantedFields: FieldCoder {
    /// What was planted, as it stands in JSON.
    private(set) var secrets: [String] = []
    /// Type and name of each field but numbers without a sign, codes and flags.
    private(set) var fields: [String] = []

    /// 2031-07-09T11:22:33.444Z.
    static let instant: Int64 = 1_941_362_553_444

    mutating func device(_ name: StaticString, _ value: inout DeviceID) throws(FieldError) {
        fields.append("device \(name)")
        value = DeviceID(address: 0xDEC0_DEAD_BEE0 + UInt64(fields.count), space: .random)
        secrets.append(value.description)
    }

    mutating func text(
        _ name: StaticString, _ value: inout String, limit: Int
    ) throws(FieldError) {
        fields.append("text \(name)")
        value = "Ann Secret \(fields.count)"
        secrets.append(value)
    }

    mutating func fixedBytes(
        _ name: StaticString, _ value: inout [UInt8], count: Int
    ) throws(FieldError) {
        fields.append("fixedBytes \(name)")
        value = (0..<count).map { UInt8(0xA0 + $0 + fields.count) }
        secrets.append(value.map { String($0, radix: 16) }.joined())
    }

    mutating func date(_ name: StaticString, _ value: inout CivilDate) throws(FieldError) {
        fields.append("date \(name)")
        value = CivilDate("2031-07-09") ?? .epoch
        secrets.append(value.description)
    }

    mutating func signed(
        _ name: StaticString, _ value: inout Int64, in range: ClosedRange<Int64>
    ) throws(FieldError) {
        fields.append("signed \(name)")
        value = min(Self.instant + Int64(fields.count), range.upperBound)
        if value > Self.instant, "\(name)" != "correction", "\(name)" != "corrected",
            "\(name)" != "stepMilliseconds"
        {
            secrets.append("\(value)")
        }
        if "\(name)" == "longitudeE7" {
            value = 87_654_321
            secrets.append("\(value)")
        }
    }

    mutating func bytes(
        _ name: StaticString, _ value: inout [UInt8], limit: Int
    ) throws(FieldError) {
        fields.append("bytes \(name)")
    }

    mutating func presence(_ name: StaticString, _ isPresent: inout Bool) throws(FieldError) {
        isPresent = true
    }

    mutating func unsigned(
        _ name: StaticString, _ value: inout UInt64, in range: ClosedRange<UInt64>
    ) throws(FieldError) { value = range.lowerBound }

    mutating func byte(
        _ name: StaticString, _ value: inout UInt8, in range: ClosedRange<UInt8>
    ) throws(FieldError) { value = range.lowerBound }

    mutating func flag(_ name: StaticString, _ value: inout Bool) throws(FieldError) {}

    mutating func code<Code: CodedName>(
        _ name: StaticString, _ value: inout Code
    ) throws(FieldError) {}

    mutating func openCode<Code: CodedName>(
        _ name: StaticString, _ value: inout OpenCode<Code>
    ) throws(FieldError) {}
}
