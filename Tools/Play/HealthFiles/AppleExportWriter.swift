import Events
import TestSupport

/// Writes an export as Apple Health does: its document type, and records of many types.
struct AppleExportWriter {
    private var file: OutputFile

    /// How many bytes were written.
    var byteCount: Int { file.byteCount }

    /// Begins a file.
    init(_ path: String) throws {
        file = try OutputFile(path)
        try file.write(Self.head)
    }

    /// Writes a day: its steps, and around them what makes up the rest of such files.
    mutating func write(_ day: Walker.Day, _ generator: inout SeededGenerator) throws {
        for stretch in day.stretches {
            try file.write(
                record(
                    "StepCount", "count",
                    "\(stretch.stepsPerMinute * Int64(stretch.minutes.count))",
                    stretch.source.name, stretch.minutes) + "/>\n")
            let distance = Int64(stretch.minutes.count) * stretch.stepsPerMinute * 7 / 10
            try file.write(
                record(
                    "DistanceWalkingRunning", "km", "0.\(distance + 1_000)", stretch.source.name,
                    stretch.minutes) + "/>\n")
            for minute in stretch.minutes where stretch.source == .watch {
                let rate = Int.random(in: 60...140, using: &generator)
                let motion = "  <MetadataEntry key=\"HKMetadataKeyHeartRateMotionContext\" "
                try file.write(
                    record(
                        "HeartRate", "count/min", "\(rate)", stretch.source.name,
                        minute..<minute + 1)
                        + ">\n\(motion)value=\"2\"/>\n </Record>\n")
            }
        }
        let noon = day.date.daysSinceEpoch * 1_440 + 720
        let pressure = record(
            "BloodPressureSystolic", "mmHg", "120", "Cuff", noon..<noon)
        try file.write(" <Correlation type=\"HKCorrelationTypeIdentifierBloodPressure\">\n")
        try file.write(" \(pressure)/>\n </Correlation>\n")
        try file.write(
            " <ActivitySummary dateComponents=\"\(day.date)\" activeEnergyBurned=\"512.3\"/>\n")
    }

    /// Ends the file.
    mutating func close() throws {
        try file.write("</HealthData>\n")
        try file.close()
    }

    /// A record's start tag without its end.
    private func record(
        _ type: String, _ unit: String, _ value: String, _ source: String, _ minutes: Range<Int64>
    ) -> String {
        let (start, end) = (date(minutes.lowerBound), date(minutes.upperBound))
        return " <Record type=\"HKQuantityTypeIdentifier\(type)\" sourceName=\"\(source)\" "
            + "sourceVersion=\"17.3.1\" device=\"&lt;&lt;HKDevice: 0x2812&gt;, name:iPhone, "
            + "manufacturer:Apple Inc., model:iPhone, hardware:iPhone14,2&gt;\" unit=\"\(unit)\" "
            + "creationDate=\"\(end)\" startDate=\"\(start)\" endDate=\"\(end)\" value=\"\(value)\""
    }

    /// The beginning of a minute as a phone at +01:00 writes it.
    private func date(_ minute: Int64) -> String {
        let local = minute + 60
        let date = CivilDate(wallMilliseconds: local * 60_000, zoneOffsetMinutes: 0)
        let (hour, minute) = (local % 1_440 / 60, local % 60)
        return "\(date) \(hour < 10 ? "0" : "")\(hour):\(minute < 10 ? "0" : "")\(minute):00 +0100"
    }

    private static let head = """
        <?xml version="1.0" encoding="UTF-8"?>
        <!DOCTYPE HealthData [
        <!-- HealthKit Export Version: 14 -->
        <!ELEMENT HealthData (ExportDate,Me,(Record|Correlation|Workout|ActivitySummary)*)>
        <!ATTLIST HealthData
          locale CDATA #REQUIRED
        >
        <!ELEMENT ExportDate EMPTY>
        <!ATTLIST ExportDate
          value CDATA #REQUIRED
        >
        <!ELEMENT Record ((MetadataEntry|HeartRateVariabilityMetadataList)*)>
        <!ATTLIST Record
          type          CDATA #REQUIRED
          unit          CDATA #IMPLIED
          value         CDATA #IMPLIED
          sourceName    CDATA #REQUIRED
          sourceVersion CDATA #IMPLIED
          device        CDATA #IMPLIED
          creationDate  CDATA #IMPLIED
          startDate     CDATA #REQUIRED
          endDate       CDATA #REQUIRED
        >
        <!-- Note: Records that are children of a correlation also appear as top-level. -->
        ]>
        <HealthData locale="en_GB">
         <ExportDate value="2026-03-02 08:00:00 +0100"/>
         <Me HKCharacteristicTypeIdentifierDateOfBirth=""/>

        """
}
