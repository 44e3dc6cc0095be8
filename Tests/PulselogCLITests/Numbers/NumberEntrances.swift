import Events
import Foundation
import Interchange
import Projections
import Sensors
import TestSupport

/// What became of a number.
enum Fate: String {
    case taken
    case refused
    case leftOut = "left out"
    case cut
}

/// Where numbers enter, by the heading of their table: each takes what is written.
enum NumberEntrances {
    /// What became of a number; nil if the heading names no entrance.
    static func fate(_ row: NumberRow, _ value: String) async throws -> Fate? {
        let text = row.text(with: value)
        return switch row.section {
        case "Fields of events":
            line(EventFields.lines[row.example]?.replacing("§", with: value) ?? "")
        case "Lines of a log": line(text)
        case "Options": try await option(text)
        case "Rules": rule(text)
        case "Messages to /health": message(text)
        case "Amounts of messages": message(amount(row.example, Int(value) ?? 0))
        case "Records of Apple Health": try appleHealth(text)
        case "Rows of Gadgetbridge": try gadgetbridge(text, isNone: value == "0")
        case "Points of GPX": gpx(text)
        case "Points of TCX": tcx(text)
        case "Cells of tables": cell(text)
        case "Fields of FIT": fit(text)
        case "Reports of gpsd": gpsd(text, value)
        default: nil
        }
    }

    private static func line(_ text: String) -> Fate {
        do {
            let line = try JSONLines.decode(line: Array(text.utf8), number: 1)
            // As a log holds it; of what a later version writes only the envelope is read.
            if line.header.kind.name != nil {
                _ = try Event(
                    decoding: line.header.kind, version: 1, payload: line.payload.span)
            }
            return .taken
        } catch {
            return .refused
        }
    }

    private static func rule(_ text: String) -> Fate {
        var rules = Rules()
        do throws(RuleError) {
            try rules.set(text)
            return .taken
        } catch {
            return .refused
        }
    }

    // MARK: - Messages

    private static func message(_ text: String) -> Fate {
        do throws(HealthReportError) {
            let report = try HealthReport(decodingJSON: Array(text.utf8)) { _ in 0 }
            return report.ignored.isEmpty ? .taken : .leftOut
        } catch {
            return .refused
        }
    }

    private static func amount(_ name: String, _ count: Int) -> String {
        let total = #"{"date":"2026-03-01","steps":1}"#
        func samples(_ source: (Int) -> Int) -> String {
            let entries = (0..<count).map { index in
                let time = String(
                    format: "%02d:%02d:%02d", index / 3_600, index / 60 % 60, index % 60)
                return #"{"qty":1,"date":"2026-03-01 \#(time) +0000","source":"\#(source(index))"}"#
            }
            return #"{"data":{"metrics":[{"name":"step_count","data":["#
                + entries.joined(separator: ",") + "]}]}}"
        }
        return switch name.split(separator: "‹")[0] {
        case "bytes of a message ": total + String(repeating: " ", count: count - total.utf8.count)
        case "totals of a message ":
            "[" + Array(repeating: total, count: count).joined(separator: ",") + "]"
        case "samples of a message ": samples { _ in 1 }
        case "sources of a message ": samples { $0 }
        default: ""
        }
    }

    // MARK: - Files

    private static func appleHealth(_ attributes: String) throws -> Fate {
        let text = """
            <HealthData><Record type="HKQuantityTypeIdentifierStepCount" sourceName="a" \
            unit="count" \(attributes)/></HealthData>
            """
        var records = StepRecords { _ in 0 }
        var export = AppleHealthExport()
        try export.push(Array(text.utf8), into: &records)
        try export.finish(into: &records)
        return export.unreadableCount + records.refusedCount == 0 ? .taken : .leftOut
    }

    private static func gadgetbridge(_ row: String, isNone: Bool) throws -> Fate {
        let folder = try TemporaryDirectory()
        let path = try folder.database(
            "band.db",
            """
            CREATE TABLE XIAOMI_ACTIVITY_SAMPLE (TIMESTAMP, STEPS, DEVICE_ID DEFAULT 1);
            INSERT INTO XIAOMI_ACTIVITY_SAMPLE (TIMESTAMP, STEPS) VALUES \(row)
            """)
        do throws(FileError) {
            let reading = try HealthStoreFile(path: path).read(as: .gadgetbridge)
            guard case .days(let days) = reading.content else { return .leftOut }
            return reading.refusedCount == 0 && (isNone || !days.isEmpty) ? .taken : .leftOut
        } catch {
            return .leftOut
        }
    }

    private static func gpx(_ point: String) -> Fate {
        var reader = GPXTrackReader()
        let text = "<gpx><trk><trkseg><trkpt \(point)</trkpt></trkseg></trk></gpx>"
        guard let fix = reader.push(Array(text.utf8)).first else { return .leftOut }
        if point.contains("<ele>"), fix.altitudeMillimetres == nil { return .leftOut }
        if point.contains("<sat>"), fix.satellites == nil { return .leftOut }
        return .taken
    }

    /// Whether a file says more than when its walk began and ended.
    private static func walk(_ format: WalkFileFormat, _ text: String) -> Fate {
        var reader = format.reader(StatedTimes())
        reader.push(Array(text.utf8).span)
        reader.finish()
        return reader.facts.count > 2 ? .taken : .leftOut
    }

    private static func tcx(_ element: String) -> Fate {
        let isTime = element.contains("<Time>")
        let time =
            isTime
            ? "<HeartRateBpm><Value>1</Value></HeartRateBpm>"
            : "<Time>2026-03-01T09:00:00Z</Time>"
        return walk(
            .tcx,
            "<TrainingCenterDatabase><Activity><Lap><Track><Trackpoint>\(time)\(element)"
                + "</Trackpoint></Track></Lap></Activity></TrainingCenterDatabase>")
    }

    private static func cell(_ text: String) -> Fate {
        let words = text.split(separator: " ")
        let extra = words[0] == "bpm" ? "" : "bpm,"
        let empty = words[0] == "bpm" ? "" : ","
        return walk(
            .csv, "time,\(extra)\(words[0])\n2026-03-01T09:00:00Z,\(empty)\(words[1])\n")
    }

    private static func gpsd(_ fields: String, _ value: String) -> Fate {
        var decoder = GpsdDecoder()
        let text = #"{"class":"TPV","device":"a","mode":3,\#(fields)}"# + "\n"
        let reports = decoder.take(Array(text.utf8), at: 0) + decoder.finish(at: 0)
        let fixes = reports.compactMap { if case .fix(let fix) = $0 { fix } else { nil } }
        guard let fix = fixes.first else { return .leftOut }
        if fields.contains("altMSL"), fix.altitudeMillimetres == nil { return .leftOut }
        if fields.contains("speed"), fix.speedMillimetresPerSecond == nil { return .leftOut }
        if fields.contains("time"), fix.fixedAtMilliseconds == nil { return .leftOut }
        guard fields.contains("eph") else { return .taken }
        guard let error = fix.accuracyMillimetres else { return .leftOut }
        let told = Decimal(string: value).map { $0 * 1_000 }
        return told == Decimal(error) ? .taken : .cut
    }
}
