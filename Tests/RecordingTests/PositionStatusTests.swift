import Deciding
import EventStore
import Events
import Foundation
import JSON
import Projections
import Recording
import Testing

@Suite("The reception of positions")
struct PositionStatusTests {
    private let log = InMemoryEventLog()

    private func fix(
        accuracy: UInt64? = 5_000, altitude: Int64? = 515_000, at milliseconds: UInt64 = 0
    ) -> Input {
        let fix = PositionFixed(
            latitudeE7: 481_371_500, longitudeE7: -115_754_000, altitudeMillimetres: altitude,
            accuracyMillimetres: accuracy, satellites: 9)
        return Input(.record(.positionFixed(fix)), at: arrival(after: milliseconds))
    }

    /// What the log tells at a time.
    private func scene(after milliseconds: UInt64, on machine: Machine = machine) throws -> Scene {
        try Scene(
            following: log.state(), of: log, isRecording: true, machine: machine,
            at: arrival(after: milliseconds))
    }

    private func status(after milliseconds: UInt64) throws -> PositionStatus? {
        try scene(after: milliseconds).position
    }

    static let qualities: [(UInt64?, Int64?, PositionStatus.Quality)] = [
        (5_000, 515_000, .good), (30_000, 515_000, .good), (30_001, 515_000, .weak),
        (50_000, 515_000, .weak), (50_001, 515_000, .none), (5_000, nil, .weak),
        (nil, 515_000, .good), (nil, nil, .weak), (60_000, nil, .none),
    ]

    @Test("is as good as the error and the height say", arguments: qualities)
    func quality(
        _ accuracy: UInt64?, _ altitude: Int64?, _ quality: PositionStatus.Quality
    ) async throws {
        _ = try await Appender(log, machine: machine).record([
            fix(accuracy: accuracy, altitude: altitude)
        ])
        #expect(try status(after: 0)?.quality == quality)
    }

    @Test("is told of the last ten seconds, and not at all of a log without a fix")
    func age() async throws {
        let appender = Appender(log, machine: machine)
        _ = try await appender.record([reading(1)])
        #expect(try status(after: 1_000) == nil)
        _ = try await appender.record([fix(at: 2_000)])
        #expect(try status(after: 12_000)?.quality == .good)
        #expect(try status(after: 12_000)?.satellites == 9)
        #expect(try status(after: 12_000)?.fix?.longitudeE7 == -115_754_000)
        let old = try status(after: 12_001)
        #expect(old?.quality == PositionStatus.Quality.none)
        #expect(old?.fix == nil && old?.satellites == nil)
    }

    @Test("is found among whatever else came in ten seconds", arguments: [0, 63, 64, 65, 5_000])
    func crowded(others: UInt16) async throws {
        let appender = Appender(log, machine: machine)
        _ = try await appender.record([fix(accuracy: 90_000), fix(at: 1)])
        _ = try await appender.record((0..<others).map { reading($0 + 2) })
        #expect(try status(after: 10_000)?.quality == .good)
        // What another process tells first does not hide it.
        _ = try await appender.record([reading(11)])
        #expect(try status(after: 10_001)?.quality == .good)
        #expect(try status(after: 10_002)?.quality == PositionStatus.Quality.none)
    }

    @Test("of another boot is none of now")
    func reboot() async throws {
        _ = try await Appender(log, machine: machine).record([fix()])
        _ = try await Appender(log, machine: rebooted).record([
            Input(
                .startRecorder(programVersion: "1", zoneOffsetMinutes: 0, zoneName: "UTC"),
                at: arrival(after: 1))
        ])
        let scene = try scene(after: 2, on: rebooted)
        #expect(scene.position?.quality == PositionStatus.Quality.none)
    }

    @Test("stands in the report as null, without a fix, and with one")
    func json() async throws {
        func gps(after milliseconds: UInt64) throws -> Substring? {
            let report = try StatusReport(scene(after: milliseconds))
            let line = String(decoding: report.jsonLine, as: UTF8.self)
            return line.range(of: #""gps":"#).map { line[$0.upperBound...].dropLast(2) }
        }
        let appender = Appender(log, machine: machine)
        _ = try await appender.record([reading(1)])
        #expect(try gps(after: 1) == "null")
        _ = try await appender.record([fix(at: 2)])
        #expect(
            try gps(after: 3)
                == #"{"quality":"good","satellites":9,"latitudeE7":481371500,"#
                + #""longitudeE7":-115754000}"#)
        #expect(
            try gps(after: 20_000)
                == #"{"quality":"none","satellites":null,"latitudeE7":null,"longitudeE7":null}"#)
    }
}
