import Events
import TestSupport
import Testing

@Suite("Strict reading")
struct PayloadStrictnessTests {
    static let device = "0100000000c401"

    /// Bytes that no writer makes, and what the reader says of them.
    static let vectors: [(String, EventKind, String, FieldError.Code, String)] = [
        ("zero in two bytes", .importEnded, "8000 00", .notCanonical, "importedEvents"),
        ("one in two bytes", .importEnded, "8100 00", .notCanonical, "importedEvents"),
        (
            "one in ten bytes", .importEnded, "81808080808080808000 00", .notCanonical,
            "importedEvents"
        ),
        ("65 bits", .importEnded, "ffffffffffffffffff02 00", .notCanonical, "importedEvents"),
        (
            "eleven bytes", .importEnded, "8080808080808080808001 00", .notCanonical,
            "importedEvents"
        ),
        ("2^64 - 1", .importEnded, "ffffffffffffffffff01 00", .outOfRange, "importedEvents"),
        ("2^53", .importEnded, "8080808080808010 00", .outOfRange, "importedEvents"),
        ("-2^53", .clockStepped, "ffffffffffffff1f", .outOfRange, "stepMilliseconds"),
        (
            "a signed number in a longer form", .clockStepped, "8000", .notCanonical,
            "stepMilliseconds"
        ),
        ("a length in a longer form", .sessionMarked, "8000", .notCanonical, "text"),
        (
            "text that is too long", .recorderStarted,
            "41" + String(repeating: "20", count: 65) + "0000", .wrongLength, "programVersion"
        ),
        ("a length near 2^64", .sessionMarked, "ffffffffffffffffff01", .wrongLength, "text"),
        ("text that is not UTF-8", .sessionMarked, "01 ff", .invalidUTF8, "text"),
        ("an overlong encoding", .sessionMarked, "02 c080", .invalidUTF8, "text"),
        ("a surrogate", .sessionMarked, "03 eda080", .invalidUTF8, "text"),
        ("a bool of 2", .sessionStarted, "0000 02 00000000000001", .outOfRange, "outAndBack"),
        ("an option of 2", .pedometerChosen, "02 01", .outOfRange, "device"),
        (
            "a space of addresses that is not listed", .deviceForgotten, "0100000000c404",
            .outOfRange, "device"
        ),
        ("an offset above a day", .zoneOffsetChanged, "c216 00 00", .outOfRange, "fromMinutes"),
        ("the day before year 1", .legacyValueImported, "b5e557 00", .outOfRange, "date"),
        ("a total of 2^31", .legacyValueImported, "00 8080808008", .outOfRange, "total"),
        (
            "a characteristic of the steps lane", .characteristicNotified, device + "05 00",
            .outOfRange, "characteristic"
        ),
        (
            "a value of 513 bytes", .characteristicNotified, device + "01 8104", .wrongLength,
            "value"
        ),
        ("a form that is not listed", .pedometerRead, device + "01 00 00", .outOfRange, "form"),
        ("a cut value of a strap", .pedometerValueCut, device + "04 00 00", .outOfRange, "form"),
        (
            "limits that do not rise", .profileChanged, "0000000000 01 64 64 65 01", .outOfRange,
            "zoneLimits"
        ),
        ("three steps for a count", .pedometerChosen, "00 03", .outOfRange, "stepsPerCadenceCount"),
        ("a goal that is not listed", .goalReached, "05 00", .outOfRange, "goalKind"),
        (
            "north of the pole", .positionFixed, "82a4a7da06 00 0000000000", .outOfRange,
            "latitudeE7"
        ),
    ]

    @Test("refuses", arguments: vectors)
    func refuses(
        _ name: String, _ kind: EventKind, _ hex: String, _ code: FieldError.Code, _ field: String
    ) {
        #expect(decoded(kind, bytes(hex)) == .failure(FieldError(code, field: field)), "\(name)")
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
