import Events
import Projections
import TestSupport
import Testing

@Suite("How often a device sends")
struct CadenceTests {
    /// Seconds between values, and for how many seconds the last of them holds.
    private static let devices: [(intervals: [UInt64], holds: UInt64)] = [
        ([1, 1, 1, 1], 5), ([1, 2, 3, 1], 5), ([1], 5), ([], 15), ([10, 10, 10], 15), ([10], 15),
        ([4, 4, 4], 6), ([1, 1, 12, 1], 5), ([1, 1, 12], 5), ([10, 10, 20, 10], 15),
        ([20, 20, 20], 30), ([60, 60, 60], 45), ([1, 10, 1, 10], 15), ([10, 10, 1, 1, 1], 5),
    ]

    @Test("a value holds until the next, a strap's for five seconds", arguments: devices.indices)
    func holds(index: Int) throws {
        let (intervals, holds) = Self.devices[index]
        var tape = try Tape.walking()
        tape.linkUp()
        tape.heart(80)
        for interval in intervals { tape.heart(80, after: interval * 1_000) }
        let before = tape.session.accounting.freshMilliseconds
        tape.wait(holds * 1_000)
        #expect(!ConnectionView(tape.state, at: tape.moment).isSilent)
        tape.wait(60_000)
        #expect(ConnectionView(tape.state, at: tape.moment).isSilent)
        #expect(tape.session.accounting.freshMilliseconds - before == holds * 1_000)
    }

    @Test("of a band that sends each ten seconds all time since its first value counts")
    func band() throws {
        var tape = try Tape.walking()
        tape.linkUp()
        tape.heart(90)
        for _ in 0..<6 {
            tape.wait(9_999)
            #expect(ConnectionView(tape.state, at: tape.moment).heartRateBPM == 90)
            tape.heart(90, after: 1)
        }
        #expect(tape.session.accounting.parts == ["fresh": 60_000])
        #expect(tape.session.heartRate.weightedMilliseconds == 60_000)
    }

    @Test("a zero in passing is not shown, and is no time of a heart rate")
    func zeroInPassing() throws {
        var tape = try Tape.walking()
        func shown() -> UInt16? { ConnectionView(tape.state, at: tape.moment).heartRateBPM }
        for bpm in [120, 120, 0, 120, 120, 0] as [UInt16] { tape.heart(bpm, after: 1_000) }
        #expect(shown() == 120)
        #expect(!ConnectionView(tape.state, at: tape.moment).isWithoutContact)
        for _ in 0..<5 { tape.heart(0, after: 1_000) }
        #expect(shown() == nil && ConnectionView(tape.state, at: tape.moment).isWithoutContact)
        tape.heart(120, contact: 2, after: 1_000)
        #expect(ConnectionView(tape.state, at: tape.moment).isWithoutContact)
        #expect(tape.session.accounting.noContactMilliseconds == 7_000)
    }

    /// Values, and whether they are a heart rate.
    private static let values: [(bytes: [UInt8], counts: Bool)] = [
        ([0x48, 0x52, 0x3A, 0x20, 0x37, 0x32], false), ([0x40, 0x52], true), ([0x00, 82, 1], true),
        ([0x20, 82, 1], false), ([0x80, 82, 1, 2, 3], false), ([0x08, 82, 1, 0, 7], true),
        ([0x50, 82, 0, 3], true), ([0x50, 82, 0, 3, 1], false), ([0x01, 0, 72], false),
    ]

    @Test(
        "reserved flags and bytes of no field together are no heart rate", arguments: values.indices
    )
    func form(index: Int) throws {
        var tape = try Tape.walking()
        tape.heart(80)
        tape.heart(80, after: 1_000)
        for _ in 0..<20 {
            tape.wait(1_000)
            tape.append(.notified(strap, Self.values[index].bytes))
        }
        let report = tape.session
        #expect(report.heartRate.samples == (Self.values[index].counts ? 22 : 2))
        // What cannot be used is no value: it is not the skin that is missing.
        let silent: UInt64 = Self.values[index].counts ? 0 : 15_000
        #expect(report.accounting.silentMilliseconds == silent)
        #expect(report.accounting.noContactMilliseconds == 0)
    }

    @Test("readings that cannot be read and fixes that are too inexact are counted in the walk")
    func leftOut() throws {
        var tape = try Tape.walking()
        for _ in 0..<3 {
            let reading = PedometerRead.Reading.characteristic(.infiniTimeStepCount, [1, 2])
            tape.append(.pedometerRead(PedometerRead(device: pedometer, reading: reading)))
        }
        for error in [5_000, 50_000, 50_001, 60_000] as [UInt64] {
            let fix = PositionFixed(latitudeE7: 1, longitudeE7: 2, accuracyMillimetres: error)
            tape.append(.positionFixed(fix))
        }
        #expect(tape.session.excludedReadings == 3 && tape.session.inexactFixes == 2)
    }

    @Test("a speed and a cadence that hold for ages saturate")
    func ages() throws {
        var rules = Rules.believing
        rules.cadenceMilliseconds = 1 << 53 - 1
        var tape = try Tape.walking(rules: rules)
        for time in [2_000_000, 1 << 53] as [UInt64] {
            tape.bootMilliseconds = time
            let fast = PedometerRead.Reading.characteristic(
                .runningSpeedCadenceMeasurement, [0, 255, 255, 255])
            tape.append(.pedometerRead(PedometerRead(device: pedometer, reading: fast)))
        }
        #expect(tape.session.elapsedMilliseconds > 1 << 52, "times a speed that is too much")
        #expect(tape.session.way.measured[.speed] > 1 << 44 && tape.session.steps > 1 << 36)
    }

    @Test("a walk has a strap if one is paired")
    func strapOrNot() throws {
        var tape = try Tape.walking()
        #expect(!tape.session.hasStrap)
        try tape.command(.pair(pedometer, name: "Pod", roles: .footPod))
        #expect(!tape.session.hasStrap && tape.own.devices.areOnlyPedometers)
        try tape.command(.pair(strap, name: "Strap", roles: .heart))
        #expect(tape.session.hasStrap && !tape.own.devices.areOnlyPedometers)
    }
}
