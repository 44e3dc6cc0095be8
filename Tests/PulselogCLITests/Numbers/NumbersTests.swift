import Decoding
import Events
import Foundation
import Projections
import TestSupport
import Testing

@Suite("Numbers from outside", .timeLimit(.minutes(10)))
struct NumbersTests {
    @Test(
        "are taken from the least to the greatest, and one beyond is not",
        arguments: NumberRow.walked)
    func range(_ row: NumberRow) async throws {
        for value in [row.from, row.to].compactMap(\.self) {
            #expect(try await NumberEntrances.fate(row, value) == .taken, "\(value)")
        }
        for (value, fate) in [row.below, row.above].compactMap(\.self) {
            #expect(try await NumberEntrances.fate(row, value)?.rawValue == fate, "\(value)")
        }
        #expect(row.from != nil || row.to != nil)
    }

    @Test("are all numbers that an event can have, with their ranges")
    func fields() {
        let rows = NumberRow.rows(of: "Fields of events")
        #expect(Set(rows.map(\.number)) == Set(FieldNotes.all.keys))
        // Bounds of zones rise: the ends that they leave each other are within the field's.
        for row in rows where !row.number.hasSuffix("From") {
            let noted = FieldNotes.all[row.number]
            #expect(row.from == noted?.from && row.to == noted?.to, "\(row.number)")
        }
    }

    @Test("are all that an option takes, or it takes none")
    func options() async throws {
        let numbers = NumberRow.rows(of: "Options").map { NumberEntrances.option(of: $0.number) }
        let others = NumberRow.names(after: "Options without a number:")
        let everywhere = others.filter { $0.hasPrefix("--") }
        let named = Set(numbers + others.map(NumberEntrances.option(of:)))
        let known = try await NumberEntrances.options().filter { option in
            !everywhere.contains { option.hasSuffix(" \($0)") }
        }
        #expect(known.subtracting(named).isEmpty, "without a row")
        #expect(named.subtracting(known).subtracting(everywhere).isEmpty, "no such option")
    }

    @Test("are all that a rule takes, or it takes none")
    func rules() {
        let numbers = NumberRow.rows(of: "Rules").map { row in
            String(row.number.prefix { $0 != "=" })
        }
        let others = NumberRow.names(after: "Rules without a number:")
        #expect(Set(numbers + others) == Set(Rules.settingNames))
        for name in others {
            var rules = Rules()
            #expect(throws: RuleError.self) { try rules.set("\(name)=1") }
        }
    }

    /// A number, low byte first.
    private static func bytes(_ number: UInt64, _ count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: number >> (8 * UInt64($0))) }
    }

    /// What is read of a value that has a number.
    private static func read(_ name: String, _ number: UInt64) throws -> UInt64? {
        func heart(_ value: [UInt8]) throws -> (HeartRateMeasurement, [UInt16]) {
            let measurement = try HeartRateMeasurement(decoding: value.span)
            return (measurement, measurement.rrIntervals1024ths(in: value.span))
        }
        func pod(_ value: [UInt8]) throws -> RunningSpeedCadenceMeasurement {
            try RunningSpeedCadenceMeasurement(decoding: value.span)
        }
        let (one, two, four) = (bytes(number, 1), bytes(number, 2), bytes(number, 4))
        switch name {
        case "2A37 heart rate in 8 bits": return UInt64(try heart([0] + one).0.heartRateBPM)
        case "2A37 heart rate in 16 bits": return UInt64(try heart([1] + two).0.heartRateBPM)
        case "2A37 energy expended":
            return try heart([8, 60] + two).0.energyExpendedKilojoules.map(UInt64.init)
        case "2A37 RR interval": return try heart([16, 60] + two).1.first.map(UInt64.init)
        case "2A53 speed": return UInt64(try pod([0] + two + [0]).speed256thsMetresPerSecond)
        case "2A53 cadence": return UInt64(try pod([0, 0, 0] + one).cadencePerMinute)
        case "2A53 stride length":
            return try pod([1, 0, 0, 0] + two).strideLengthCentimetres.map(UInt64.init)
        case "2A53 total distance":
            return try pod([2, 0, 0, 0] + four).totalDistanceDecimetres.map(UInt64.init)
        case "InfiniTime step count":
            return UInt64(try InfiniTimeStepCount(decoding: four.span).steps)
        case "2A19 battery level": return UInt64(try BatteryLevel(decoding: one.span).percent)
        default: return nil
        }
    }

    @Test("of sensors are read, whatever they are", arguments: NumberRow.ofSensors)
    func sensorValues(_ row: NumberRow) throws {
        for value in [row.from, row.to] {
            let number = try #require(value.flatMap { UInt64($0) })
            #expect(try Self.read(row.number, number) == number)
        }
        if let above = row.above.flatMap({ UInt64($0.value) }) {
            #expect(throws: MalformedMeasurement.self) { try Self.read(row.number, above) }
        }
    }

    /// What bounds the folds, by name: the least, if there is one, and the greatest.
    private static let bounds: [String: (Int64?, Int64)] = [
        "stepsPerSecond": (nil, Int64(Plausibility.stepsPerSecond)),
        "stepsMargin": (nil, Int64(Plausibility.stepsMargin)),
        "stepsPerMinute": (nil, Int64(Plausibility.stepsPerMinute)),
        "stepsPerDay": (nil, Int64(Plausibility.stepsPerDay)),
        "noCadence": (nil, Int64(Plausibility.noCadence)),
        "dayMilliseconds": (nil, Int64(Plausibility.dayMilliseconds)),
        "millimetresPerSecond": (nil, Int64(Plausibility.millimetresPerSecond)),
        "marginMillimetres": (nil, Int64(Plausibility.marginMillimetres)),
        "altitudeMillimetres": (
            Plausibility.altitudeMillimetres.lowerBound,
            Plausibility.altitudeMillimetres.upperBound
        ),
        "climbMillimetresPerSecond": (nil, Int64(Plausibility.climbMillimetresPerSecond)),
        "climbMarginMillimetres": (nil, Int64(Plausibility.climbMarginMillimetres)),
        "clockDifferenceMilliseconds": (nil, Plausibility.clockDifferenceMilliseconds),
        "pedometerSilenceMilliseconds": (nil, Int64(Plausibility.pedometerSilenceMilliseconds)),
        "heartRatesBPM": (
            Int64(Plausibility.heartRatesBPM.lowerBound),
            Int64(Plausibility.heartRatesBPM.upperBound)
        ),
    ]

    @Test("that bodies can make are those of the folds")
    func bodies() throws {
        let rows = NumberRow.ofBodies
        for row in rows {
            let bounds = try #require(Self.bounds[row.number], "\(row.number)")
            #expect(row.from == bounds.0.map(String.init), "\(row.number)")
            #expect(row.to == "\(bounds.1)", "\(row.number)")
        }
        let file = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../../Sources/Projections/Plausibility.swift").standardized
        let source = try String(contentsOf: file, encoding: .utf8)
        let names = source.matches(of: /public static let (\w+)/).map { String($0.1) }
        #expect(Set(names) == Set(rows.map(\.number)))
    }
}
