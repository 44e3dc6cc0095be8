import Events
import TestSupport
import Testing

@Suite("Strict reading")
struct PayloadStrictnessTests {
    /// Bytes that no writer makes, and what the reader says of them.
    struct Vector: CustomTestStringConvertible {
        var name: String
        var kind: EventKind
        var hex: String
        var code: FieldError.Code
        var field: String

        var testDescription: String { name }
    }

    static let device = "0100000000c401"

    static let vectors = [
        Vector(
            name: "zero in two bytes", kind: .importEnded, hex: "8000 00", code: .notCanonical,
            field: "importedEvents"),
        Vector(
            name: "one in two bytes", kind: .importEnded, hex: "8100 00", code: .notCanonical,
            field: "importedEvents"),
        Vector(
            name: "one in ten bytes", kind: .importEnded, hex: "81808080808080808000 00",
            code: .notCanonical, field: "importedEvents"),
        Vector(
            name: "65 bits", kind: .importEnded, hex: "ffffffffffffffffff02 00",
            code: .notCanonical, field: "importedEvents"),
        Vector(
            name: "eleven bytes", kind: .importEnded, hex: "8080808080808080808001 00",
            code: .notCanonical, field: "importedEvents"),
        Vector(
            name: "2^64 - 1", kind: .importEnded, hex: "ffffffffffffffffff01 00",
            code: .outOfRange, field: "importedEvents"),
        Vector(
            name: "2^53", kind: .importEnded, hex: "8080808080808010 00", code: .outOfRange,
            field: "importedEvents"),
        Vector(
            name: "-2^53", kind: .clockStepped, hex: "ffffffffffffff1f", code: .outOfRange,
            field: "stepMilliseconds"),
        Vector(
            name: "a signed number in a longer form", kind: .clockStepped, hex: "8000",
            code: .notCanonical, field: "stepMilliseconds"),
        Vector(
            name: "a length in a longer form", kind: .sessionMarked, hex: "8000",
            code: .notCanonical, field: "text"),
        Vector(
            name: "text that is too long", kind: .recorderStarted,
            hex: "41" + String(repeating: "20", count: 65) + "0000", code: .wrongLength,
            field: "programVersion"),
        Vector(
            name: "a length near 2^64", kind: .sessionMarked, hex: "ffffffffffffffffff01",
            code: .wrongLength, field: "text"),
        Vector(
            name: "text that is not UTF-8", kind: .sessionMarked, hex: "01 ff", code: .invalidUTF8,
            field: "text"),
        Vector(
            name: "an overlong encoding", kind: .sessionMarked, hex: "02 c080",
            code: .invalidUTF8, field: "text"),
        Vector(
            name: "a surrogate", kind: .sessionMarked, hex: "03 eda080", code: .invalidUTF8,
            field: "text"),
        Vector(
            name: "a bool of 2", kind: .sessionStarted, hex: "0000 02 00000000000001",
            code: .outOfRange, field: "outAndBack"),
        Vector(
            name: "an option of 2", kind: .pedometerChosen, hex: "02 01", code: .outOfRange,
            field: "device"),
        Vector(
            name: "a space of addresses that is not listed", kind: .deviceForgotten,
            hex: "0100000000c404", code: .outOfRange, field: "device"),
        Vector(
            name: "an offset above a day", kind: .zoneOffsetChanged, hex: "c216 00 00",
            code: .outOfRange, field: "fromMinutes"),
        Vector(
            name: "the day before year 1", kind: .legacyValueImported, hex: "b5e557 00",
            code: .outOfRange, field: "date"),
        Vector(
            name: "a total of 2^31", kind: .legacyValueImported, hex: "00 8080808008",
            code: .outOfRange, field: "total"),
        Vector(
            name: "a characteristic of the steps lane", kind: .characteristicNotified,
            hex: device + "05 00", code: .outOfRange, field: "characteristic"),
        Vector(
            name: "a value of 513 bytes", kind: .characteristicNotified, hex: device + "01 8104",
            code: .wrongLength, field: "value"),
        Vector(
            name: "a form that is not listed", kind: .pedometerRead, hex: device + "01 00 00",
            code: .outOfRange, field: "form"),
        Vector(
            name: "a cut value of a strap", kind: .pedometerValueCut, hex: device + "04 00 00",
            code: .outOfRange, field: "form"),
        Vector(
            name: "limits that do not rise", kind: .profileChanged,
            hex: "0000000000 01 64 64 65 01", code: .outOfRange, field: "zoneLimits"),
        Vector(
            name: "three steps for a count", kind: .pedometerChosen, hex: "00 03",
            code: .outOfRange, field: "stepsPerCadenceCount"),
        Vector(
            name: "a goal that is not listed", kind: .goalReached, hex: "05 00",
            code: .outOfRange, field: "goalKind"),
        Vector(
            name: "north of the pole", kind: .positionFixed, hex: "82a4a7da06 00 0000000000",
            code: .outOfRange, field: "latitudeE7"),
    ]

    @Test("refuses", arguments: vectors)
    func refuses(_ vector: Vector) {
        let expected = FieldError(vector.code, field: vector.field)
        #expect(decoded(vector.kind, bytes(vector.hex)) == .failure(expected))
    }

    @Test("keeps codes that a later version may list")
    func openCodes() throws {
        let event = try Event(decoding: .sessionEnded, version: 1, payload: bytes("c8").span)
        guard case .sessionEnded(let payload) = event else {
            Issue.record("\(event) is no end of a session")
            return
        }
        #expect(payload.reason.rawValue == 200)
        #expect(payload.reason.known == nil)
    }

    @Test("reads the largest numbers")
    func largest() throws {
        let event = try Event(
            decoding: .importEnded, version: 1, payload: bytes("ffffffffffffff0f 00").span)
        #expect(event == .importEnded(ImportEnded(importedEvents: 1 << 53 - 1, findings: 0)))
    }

    @Test("writes nothing that it would refuse")
    func writerRefuses() {
        let tooLong = Event.sessionMarked(
            SessionMarked(text: String(repeating: "x", count: 513)))
        #expect(throws: FieldError(.wrongLength, field: "text")) { try tooLong.encodedPayload() }
        let tooLarge = Event.importEnded(ImportEnded(importedEvents: 1 << 53))
        #expect(throws: FieldError(.outOfRange, field: "importedEvents")) {
            try tooLarge.encodedPayload()
        }
        let strap = Event.pedometerRead(
            PedometerRead(reading: .characteristic(.batteryLevel, [])))
        #expect(throws: FieldError(.outOfRange, field: "form")) { try strap.encodedPayload() }
        let digest = Event.importBegan(ImportBegan(sha256: [1, 2, 3]))
        #expect(throws: FieldError(.wrongLength, field: "sha256")) {
            try digest.encodedPayload()
        }
    }

    @Test("has a counterpart in writing: zones without three limits of their own are no zones")
    func wrongZoneLimits() {
        for limits in [[], [100], [100, 140], [100, 140, 180, 190]] as [[UInt64]] {
            let profile = Profile(zones: .limits, zoneLimits: limits)
            #expect(throws: FieldError(.outOfRange, field: "zoneLimits")) {
                try Event.profileChanged(ProfileChanged(profile: profile)).encodedPayload()
            }
        }
    }
}
