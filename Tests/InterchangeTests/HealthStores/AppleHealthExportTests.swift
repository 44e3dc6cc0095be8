import Interchange
import Projections
import TestSupport
import Testing

/// The head of an export, with the beginning of its document type.
private let head = """
    <?xml version="1.0" encoding="UTF-8"?>
    <!DOCTYPE HealthData [
    <!-- HealthKit Export Version: 14 -->
    <!ELEMENT HealthData (ExportDate,Me,(Record|Correlation|Workout)*)>
    <!ATTLIST HealthData locale CDATA #REQUIRED>
    <!ELEMENT Record ((MetadataEntry|HeartRateVariabilityMetadataList)*)>
    <!ATTLIST Record type CDATA #REQUIRED unit CDATA #IMPLIED value CDATA #IMPLIED>
    ]>
    <HealthData locale="en_GB">
     <ExportDate value="2026-03-02 08:00:00 +0100"/>
     <Me HKCharacteristicTypeIdentifierBiologicalSex="HKBiologicalSexNotSet"/>

    """

/// One record of steps; attributes as a phone writes them.
private func record(
    _ value: String, _ start: String, _ end: String, source: String = "Phone",
    type: String = "HKQuantityTypeIdentifierStepCount", unit: String = "count"
) -> String {
    """
     <Record type="\(type)" sourceName="\(source)" sourceVersion="17.3" \
    device="&lt;&lt;HKDevice: 0x1&gt;, name:iPhone&gt;" unit="\(unit)" \
    creationDate="2026-03-01 10:05:00 +0100" startDate="\(start)" endDate="\(end)" \
    value="\(value)"/>

    """
}

private let nine = "2026-03-01 09:00:00 +0100"
private let oneMinuteLater = "2026-03-01 09:01:00 +0100"

/// What an export gives.
private struct Outcome: Equatable {
    var totals: [UInt64] = []
    var unreadableCount: UInt64 = 0
    var failure: HealthStoreError.Code?
}

extension AppleHealthExport {
    /// Reads a whole text in pieces of a size.
    mutating func read(
        _ text: String, pieces size: Int = 4_096, into records: inout StepRecords
    ) throws(HealthStoreError) {
        for piece in Array(text.utf8).pieces(of: size) { try push(piece, into: &records) }
        try finish(into: &records)
    }
}

extension StepRecords {
    /// The dates with their totals.
    fileprivate mutating func days() throws -> [String] {
        try totals().map { "\($0.date) \($0.steps)" }
    }
}

private func outcome(_ text: String, pieces size: Int = 4_096) throws -> Outcome {
    var records = StepRecords { _ in 60 }
    var export = AppleHealthExport()
    var outcome = Outcome()
    do throws(HealthStoreError) {
        try export.read(text, pieces: size, into: &records)
    } catch {
        outcome.failure = error.code
        #expect(!error.description.isEmpty)
    }
    outcome.unreadableCount = export.unreadableCount
    outcome.totals = try records.totals().map(\.steps)
    return outcome
}

@Suite("Apple Health's export")
struct AppleHealthExportTests {
    @Test("gives the steps of its step records", arguments: [1, 13, 1_000, 100_000])
    func reads(pieces: Int) throws {
        let text =
            head + record("80", nine, oneMinuteLater)
            + record("95", nine, oneMinuteLater, source: "Watch")
            + record("7", "2026-03-02 00:00:00 +0100", "2026-03-02 00:00:30 +0100")
            + record(
                "120", nine, nine, type: "HKQuantityTypeIdentifierHeartRate", unit: "count/min")
            + "</HealthData>\n"
        #expect(try outcome(text, pieces: pieces) == Outcome(totals: [95, 7]))
    }

    @Test("counts a record with metadata, and none within another element")
    func nested() throws {
        let plain = record("80", nine, oneMinuteLater)
        let withMetadata = plain.replacing(
            "/>", with: "><MetadataEntry key=\"HKWasUserEntered\" value=\"1\"/></Record>")
        #expect(try outcome(head + withMetadata + "</HealthData>").totals == [80])
        let correlation = "<Correlation type=\"x\">\(plain)</Correlation></HealthData>"
        #expect(try outcome(head + correlation) == Outcome())
    }

    @Test(
        "passes over what it cannot read, and counts it",
        arguments: [
            ("x", nine, "count"), ("", nine, "count"), ("1,5", nine, "count"),
            ("99999999999999999999", nine, "count"), ("٥", nine, "count"),
            ("5", "2026-02-30 09:00:00 +0100", "count"), ("5", "2026-03-01", "count"),
            ("5", nine, "km"),
        ])
    func unreadable(_ value: String, _ start: String, _ unit: String) throws {
        let text =
            head + record(value, start, oneMinuteLater, unit: unit)
            + record("80", nine, oneMinuteLater) + "</HealthData>"
        #expect(try outcome(text) == Outcome(totals: [80], unreadableCount: 1))
    }

    @Test("counts a day where the phone was, whatever this machine's zone")
    func days() throws {
        // Half an hour before midnight in Sydney, and half an hour after it, on two evenings of
        // which the second is in Berlin: the collection's own zone is that of neither.
        let text =
            head + record("10", "2026-03-01 23:30:00 +1100", "2026-03-01 23:31:00 +1100")
            + record("20", "2026-03-02 00:30:00 +1100", "2026-03-02 00:31:00 +1100")
            + record("40", "2026-03-02 23:59:30 +0100", "2026-03-03 00:00:30 +0100")
            + record("0", "2026-03-04 23:30:00 +0100", "2026-03-04 23:59:00 +0100")
            + "</HealthData>"
        for offset: Int64 in [-720, 0, 840] {
            var records = StepRecords { _ in offset }
            var export = AppleHealthExport()
            try export.read(text, into: &records)
            let days = ["2026-03-01 10", "2026-03-02 40", "2026-03-03 20", "2026-03-04 0"]
            #expect(try records.days() == days)
        }
    }

    @Test("adds fractions of a step, and rounds the date's total once")
    func fractions() throws {
        let seconds = (10..<60).map { second in
            record(
                "0.4", "2026-03-01 09:00:\(second) +0100", "2026-03-01 09:00:\(second) +0100")
        }
        let text = head + seconds.joined() + record("79.996", oneMinuteLater, oneMinuteLater)
        #expect(try outcome(text + "</HealthData>").totals == [100])
    }

    @Test(
        "passes over the document type, XML or not",
        arguments: [
            "<!ATTLIST VisionPrescription type CDATA #REQUIRED\n<!ELEMENT RightEye EMPTY>",
            "<!-- never ended <!ELEMENT Record EMPTY>", "<!ENTITY e 'x'>", "<!ATTLIST a b 'open>",
            "<!ELEMENT \u{B} & ]]> >",
        ])
    func documentType(_ declarations: String) throws {
        let text =
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
            + "<!DOCTYPE HealthData [\n\(declarations)\n]>\n"
            + "<HealthData locale=\"en_US\">" + record("80", nine, oneMinuteLater)
            + "</HealthData>"
        for pieces in [1, 7, 4_096] {
            #expect(try outcome(text, pieces: pieces) == Outcome(totals: [80]))
        }
    }

    @Test(
        "goes on at the next record after what is no XML, and counts such places",
        arguments: [
            record("5", nine, oneMinuteLater, source: "App\u{B}"),
            record("5", nine, oneMinuteLater, source: "A & B"),
            record("5", nine, oneMinuteLater, source: "&#11;"),
            record("5", nine, oneMinuteLater, source: "&app;"),
            " <Record unit=\"a\" unit=\"b\"/>\n", " <Record two words=\"x\"/>\n",
            " <Record source=\"never ended/>\n", " <Workout><MetadataEntry key=\"<\"/></Workout>",
            " </Record>\n", " <Record><MetadataEntry key=\"a\"></Record>\n",
        ])
    func damagedPlaces(_ damaged: String) throws {
        let text =
            head + record("80", nine, oneMinuteLater) + damaged
            + record("7", oneMinuteLater, "2026-03-01 09:02:00 +0100") + "</HealthData>\n"
        for pieces in [1, 13, 100_000] {
            var records = StepRecords { _ in 60 }
            var export = AppleHealthExport()
            try export.read(text, pieces: pieces, into: &records)
            #expect(try records.totals().map(\.steps) == [87], "pieces of \(pieces)")
            #expect((1...2).contains(export.skippedCount))
            #expect(export.firstSkipped?.contains("in line 1") == true)
        }
    }

    @Test("reads two exports in one file, and is damaged where no record follows")
    func ends() throws {
        let whole = head + record("80", nine, oneMinuteLater) + "</HealthData>\n"
        #expect(try outcome(whole + whole) == Outcome(totals: [80]))
        let cut = head + record("80", nine, oneMinuteLater) + "<Record a=\"<\"> and no end"
        #expect(try outcome(cut) == Outcome(totals: [80], failure: .damaged))
    }

    @Test("counts a record on the day of the zone that its metadata names")
    func namedZone() throws {
        // Half an hour before midnight in Lisbon; the phone was in Berlin when it exported.
        let plain = record("80", "2026-03-02 00:30:00 +0100", "2026-03-02 00:31:00 +0100")
        func days(_ entry: String) throws -> [String] {
            var records = StepRecords { _ in 0 }
            var export = AppleHealthExport { name, _ in name == "Europe/Lisbon" ? 0 : nil }
            let text = head + plain.replacing("/>", with: ">\(entry)</Record>") + "</HealthData>"
            try export.read(text, into: &records)
            return try records.days()
        }
        let entry = "<MetadataEntry key=\"HKTimeZone\" value=\"Europe/Lisbon\"/>"
        #expect(try days(entry) == ["2026-03-01 80"])
        #expect(try days(entry.replacing("Lisbon", with: "Nowhere")) == ["2026-03-02 80"])
        #expect(try days(entry.replacing("HKTimeZone", with: "a")) == ["2026-03-02 80"])
    }

    @Test("shows the first record that it cannot read")
    func firstUnreadable() throws {
        var records = StepRecords { _ in 0 }
        var export = AppleHealthExport()
        let text = head + record("80", "20260301090000+0100", oneMinuteLater) + "</HealthData>"
        try export.read(text, into: &records)
        #expect(
            export.firstUnreadable
                == "startDate \"20260301090000+0100\", value \"80\", unit \"count\"")
    }

    @Test("gives a lower bound when it is cut off anywhere")
    func truncated() throws {
        let text =
            head + record("80", nine, oneMinuteLater)
            + record("95", nine, oneMinuteLater, source: "Watch") + "</HealthData>"
        let bytes = Array(text.utf8)
        for count in stride(from: 1, to: bytes.count, by: 7) {
            let outcome = try outcome(String(decoding: bytes.prefix(count), as: UTF8.self))
            #expect(outcome.failure == .damaged, "\(count) bytes")
            #expect([[], [80], [95]].contains(outcome.totals), "\(count) bytes")
        }
    }

    @Test("answers whatever is done to its bytes", arguments: 1...20 as ClosedRange<UInt64>)
    func anyBytes(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let text =
            head + record("80", nine, oneMinuteLater) + record("95", nine, nine, source: "Watch")
            + "</HealthData>"
        for _ in 0..<50 {
            var bytes = Array(text.utf8)
            for _ in 0..<Int.random(in: 1...5, using: &generator) {
                let index = Int.random(in: bytes.indices, using: &generator)
                bytes[index] = UInt8.random(in: 0...255, using: &generator)
            }
            var records = StepRecords { _ in 60 }
            var export = AppleHealthExport()
            do throws(HealthStoreError) {
                try export.push(bytes, into: &records)
                try export.finish(into: &records)
            } catch {
                #expect(error.code != .tooMuch, "seed \(seed)")
            }
            let counted = records.takenCount + records.refusedCount + export.unreadableCount
            #expect(counted <= 2, "seed \(seed)")
            _ = try records.totals()
        }
    }

    @Test("is refused if it is another file")
    func foreign() throws {
        #expect(try outcome("<gpx><trk/></gpx>") == Outcome(failure: .foreign))
        let drawing = "<!DOCTYPE svg PUBLIC 'a' 'b'><svg/>"
        #expect(try outcome(drawing) == Outcome(failure: .damaged))
    }

    @Test("is refused if it names more sources than are held")
    func tooMuch() throws {
        let sources = (0...64).map { record("1", nine, oneMinuteLater, source: "\($0)") }.joined()
        #expect(try outcome(head + sources + "</HealthData>").failure == .tooMuch)
    }
}
