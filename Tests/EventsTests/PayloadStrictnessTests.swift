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

        init(
            _ name: String, _ kind: EventKind, _ hex: String, _ code: FieldError.Code,
            _ field: String
        ) {
            (self.name, self.kind, self.hex) = (name, kind, hex)
            (self.code, self.field) = (code, field)
        }

        var testDescription: String { name }
    }

    static let device = "0100000000c401"

    static let vectors = [
        Vector("zero in two bytes", .importEnded, "8000 00", .notCanonical, "importedEvents"),
        Vector("one in two bytes", .importEnded, "8100 00", .notCanonical, "importedEvents"),
        Vector(
            "one in ten bytes", .importEnded, "81808080808080808000 00", .notCanonical,
            "importedEvents"),
        Vector("65 bits", .importEnded, "ffffffffffffffffff02 00", .notCanonical, "importedEvents"),
        Vector(
            "eleven bytes", .importEnded, "8080808080808080808001 00", .notCanonical,
            "importedEvents"),
        Vector("2^64 - 1", .importEnded, "ffffffffffffffffff01 00", .outOfRange, "importedEvents"),
        Vector("2^53", .importEnded, "8080808080808010 00", .outOfRange, "importedEvents"),
        Vector("-2^53", .clockStepped, "ffffffffffffff1f", .outOfRange, "stepMilliseconds"),
        Vector(
            "a signed number in a longer form", .clockStepped, "8000", .notCanonical,
            "stepMilliseconds"),
        Vector("a length in a longer form", .sessionMarked, "8000", .notCanonical, "text"),
        Vector(
            "text that is too long", .recorderStarted,
            "41" + String(repeating: "20", count: 65) + "0000", .wrongLength, "programVersion"),
        Vector("a length near 2^64", .sessionMarked, "ffffffffffffffffff01", .wrongLength, "text"),
        Vector("text that is not UTF-8", .sessionMarked, "01 ff", .invalidUTF8, "text"),
        Vector("an overlong encoding", .sessionMarked, "02 c080", .invalidUTF8, "text"),
        Vector("a surrogate", .sessionMarked, "03 eda080", .invalidUTF8, "text"),
        Vector("a bool of 2", .sessionStarted, "0000 02 00000000000001", .outOfRange, "outAndBack"),
        Vector("an option of 2", .pedometerChosen, "02 01", .outOfRange, "device"),
        Vector(
            "a space of addresses that is not listed", .deviceForgotten, "0100000000c404",
            .outOfRange, "device"),
        Vector(
            "an offset above a day", .zoneOffsetChanged, "c216 00 00", .outOfRange, "fromMinutes"),
        Vector("the day before year 1", .legacyValueImported, "b5e557 00", .outOfRange, "date"),
        Vector("a total of 2^31", .legacyValueImported, "00 8080808008", .outOfRange, "total"),
        Vector(
            "a characteristic of the steps lane", .characteristicNotified, device + "05 00",
            .outOfRange, "characteristic"),
        Vector(
            "a value of 513 bytes", .characteristicNotified, device + "01 8104", .wrongLength,
            "value"),
        Vector(
            "a form that is not listed", .pedometerRead, device + "01 00 00", .outOfRange, "form"),
        Vector(
            "a cut value of a strap", .pedometerValueCut, device + "04 00 00", .outOfRange, "form"),
        Vector(
            "limits that do not rise", .profileChanged, "0000000000 01 64 64 65 01", .outOfRange,
            "zoneLimits"),
        Vector(
            "three steps for a count", .pedometerChosen, "00 03", .outOfRange,
            "stepsPerCadenceCount"),
        Vector("a goal that is not listed", .goalReached, "05 00", .outOfRange, "goalKind"),
        Vector(
            "north of the pole", .positionFixed, "82a4a7da06 00 0000000000", .outOfRange,
            "latitudeE7"),
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
            throw ProgramError("\(event) is no end of a session")
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
        #expect(throws: FieldError(.wrongLength, field: "text", limitBytes: 512)) {
            try tooLong.encodedPayload()
        }
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
                try Event.profileChanged(profile).encodedPayload()
            }
        }
    }
}
