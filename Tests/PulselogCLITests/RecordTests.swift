import Foundation
import TestSelection
import TestSupport
import Testing

/// The unchanged recorder against a strap that FakeStrap plays on a private bus.
@Suite("pulselog record")
struct RecordTests {
    let bench = Workbench()

    static func capture(_ name: String) -> String { ReplayCase(name).capture }

    @Test("records what the strap delivered, byte for byte and in order")
    func everyValue() async throws {
        try await bench.playing("--capture", Self.capture("one-minute"), "--speed", "30") { strap in
            let record = try bench.start(["record", "--json"], strap.variables)
            try await record.waitForHeartRates(75)
            let end = try await bench.stop(record)
            let delivered = try strap.deliveredHeartRates()
            #expect(delivered.count == 75)
            #expect(try Self.heartRates(end.lines) == delivered)
            try expectTotals(of: delivered, in: try result(end))
            try await expectOneDigest(try result(end))
        }
    }

    @Test(
        "survives drops, inside and outside of the grace",
        arguments: sample(["inside", "outside"]))
    func drops(_ side: String) async throws {
        let capture = Self.capture("drop-\(side)-grace")
        try await bench.playing("--capture", capture, "--speed", "20", "--wait-for-return") {
            strap in
            let record = try bench.start(["record", "--json"], strap.variables)
            try await strap.waitForEnd()
            let delivered = try strap.deliveredHeartRates()
            #expect(delivered.count == 60)
            try await record.waitForHeartRates(delivered.count)
            let end = try await bench.stop(record)
            #expect(try Self.heartRates(end.lines) == delivered)
            let kinds = try end.lines.map { try Line($0).fields["kind"] as? String ?? "" }
            #expect(kinds.filter { $0 == "linkLost" }.count == 1)
            #expect(kinds.filter { $0 == "linkUp" }.count == 2)
            try expectTotals(of: delivered, in: try result(end))
            try await expectOneDigest(try result(end))
        }
    }

    @Test("pairs the first strap, reads what it says of itself, and tells it in status")
    func details() async throws {
        try await bench.playing("--capture", Self.capture("one-minute"), "--speed", "5") { strap in
            let record = try bench.start(["record", "--json"], strap.variables)
            try await record.waitForHeartRates(5)
            let status = try await bench.object("status")
            #expect(status.flag("recording"))
            let connection = try status.object("connection")
            #expect(try connection.text("status") == "connected")
            #expect(try connection.text("activity") == "connected")
            #expect(try connection.text("name") == "Strap One")
            #expect(try connection.integer("batteryPercent") == 0x57)
            #expect((60...140).contains(try connection.integer("bpm")))
            let devices = try await bench.run("devices", "--json")
            #expect(devices.lines.count == 1)
            #expect(devices.text.contains("Walk Works"))
            await record.finish()
            try await bench.expect("status", says: "No recorder is running.")
        }
    }

    @Test("leaves the session open on SIGTERM, and goes on with it")
    func goingOn() async throws {
        try await bench.playing("--capture", Self.capture("one-minute"), "--speed", "1") { strap in
            let first = try bench.start(["record", "--json"], strap.variables)
            try await first.waitForHeartRates(3)
            await first.finish(by: SIGTERM)
            let second = try bench.start(["record", "--json"], strap.variables)
            try await second.message(containing: "is open; continuing it")
            try await second.waitForHeartRates(3)
            let end = try await bench.stop(second)
            let sessions = try await bench.run("sessions", "list", "--json")
            #expect(sessions.lines.count == 1)
            let log = try await bench.run("log", "cat", "--json")
            let delivered = Set(try strap.deliveredHeartRates())
            #expect(try delivered.isSuperset(of: Self.heartRates(log.lines)))
            try await expectOneDigest(try result(end))
        }
    }

    /// Two straps at different distances that send for a long time.
    private static let twoStraps = #"""
        {"devices":[
            {"id":"near","name":"Strap Near","address":"C4:00:00:00:00:01","rssi":-40,
             "play":[{"wait":"subscribed"},{"stream":"hr","for":600}]},
            {"id":"far","name":"Strap Far","address":"C4:00:00:00:00:02","rssi":-80,
             "play":[{"wait":"subscribed"},{"stream":"hr","for":600}]}]}
        """#

    @Test(
        "takes the strongest strap and says so; forgotten, it is left alone, and another is taken")
    func forgetting() async throws {
        try await bench.playing(scenario: Self.twoStraps) { strap in
            let record = try bench.start(["record", "--json"], strap.variables)
            try await record.message(
                containing: "Paired Strap Near; it is primary. Also in range: Strap Far "
                    + "(C4:00:00:00:00:02).")
            try await record.waitForHeartRates(2)
            _ = try await bench.output("devices", "forget", "C4:00:00:00:00:01")
            try await record.message(
                containing:
                    "Paired Strap Far; it is primary. No other usable strap was heard."
            )
            try await record.waitForHeartRates(2)
            await record.finish()
            let devices = try await bench.run("devices", "--json")
            #expect(devices.lines.count == 1)
            #expect(devices.text.contains("Strap Far"))
        }
    }

    @Test("a strap that was forgotten after its walk is not taken unasked by the next one")
    func forgottenAfterwards() async throws {
        try await bench.playing(scenario: Self.twoStraps) { strap in
            let first = try bench.start(["record", "--json"], strap.variables)
            try await first.waitForHeartRates(2)
            await first.finish()
            try await bench.expect(
                "devices", "forget", "C4:00:00:00:00:01",
                says: "`pulselog devices pair C4:00:00:00:00:01`")
            let second = try bench.start(["record", "--json"], strap.variables)
            try await second.message(containing: "Paired Strap Far; it is primary.")
            // Named it is taken, beside the recorder, which has no strap then.
            try await bench.expect(
                "devices", "pair", "C4:00:00:00:00:01", status: 75,
                says: "is connected to Strap Far")
            _ = try await bench.output("devices", "forget", "C4:00:00:00:00:02")
            try await bench.expect(
                "devices", "pair", "C4:00:00:00:00:01",
                says: "it is primary, and the recorder is connected to it")
            try await second.line {
                $0.contains(#""kind":"characteristicNotified""#)
                    && $0.contains(#""device":"C4:00:00:00:00:01""#)
            }
            try await bench.expect("devices", "pair", "C4:00:00:00:00:07", status: 75)
            await second.finish()
        }
    }

    @Test("a strap that was chosen beside the recorder stays so if it does not come")
    func chosenBeside() async throws {
        let pod = #"{"id":"pod","name":"Pod","address":"C4:00:00:00:00:03","services":["rsc"]}"#
        try await bench.playing(scenario: #"{"devices":[\#(pod)]}"#) { strap in
            let record = try bench.start(["record", "--json"], strap.variables)
            try await record.event("sessionStarted")
            let first = "C4:00:00:00:00:01"
            try await bench.expect(
                "devices", "pair", first, "--seconds", "1", status: 69,
                says: "`pulselog devices forget \(first)`")
            let second = "C4:00:00:00:00:02"
            try await bench.expect(
                "devices", "pair", second, "--seconds", "1", status: 69,
                says: "`pulselog devices primary \(first)`")
            let devices = try await bench.run("devices", "--json").lines
            #expect(devices.count == 2)
            let primary = devices.filter { $0.contains(#""primary":["heart"]"#) }
            #expect(primary.count == 1 && primary[0].contains(second))
            try await bench.expect("devices", "pair", second, status: 75, says: "is looking for it")
            _ = try await bench.output("pause")
            try await bench.expect("devices", "pair", first, status: 75, says: "The walk is paused")
            await record.finish()
        }
    }

    // MARK: - What is compared

    /// The heart-rate values among events, in order, in hexadecimal.
    static func heartRates(_ lines: [String]) throws -> [String] {
        try lines.map { try Line($0) }.filter {
            $0.fields["characteristic"] as? String == "heartRateMeasurement"
                && $0.fields["kind"] as? String == "characteristicNotified"
        }.map { try $0.text("value") }
    }

    /// The last line of a recording: the session and the digest.
    private func result(_ end: RunningProgram.End) throws -> Line {
        try Line(try #require(end.lines.last))
    }

    /// Compares the sums that hang on no time with what the values say, decoded here.
    private func expectTotals(of values: [String], in result: Line) throws {
        var rates: [Int] = []
        for value in values {
            let bytes = stride(from: 0, to: value.count, by: 2).compactMap {
                UInt8(value.dropFirst($0).prefix(2), radix: 16)
            }
            let rate = bytes[0] & 1 == 0 ? Int(bytes[1]) : Int(bytes[1]) | Int(bytes[2]) << 8
            if rate > 0, bytes[0] & 6 != 4 { rates.append(rate) }
        }
        let heartRate = try result.object("session").object("heartRate")
        #expect(try heartRate.integer("samples") == rates.count)
        #expect(try heartRate.integer("sum") == rates.reduce(0, +))
        #expect(try heartRate.integer("min") == rates.min())
        #expect(try heartRate.integer("max") == rates.max())
    }

    /// Folds the log in every other way and compares the digests with the recorder's.
    private func expectOneDigest(_ result: Line) async throws {
        let digest = try result.text("digest")
        for arguments in [["replay", "store"], ["log", "rebuild"]] {
            let end = try await bench.start(arguments + ["--json"]).end
            #expect(try Line(end.text).text("digest") == digest, "\(arguments)")
        }
        let export = try bench.file("export.jsonl", try await bench.output("export"))
        let copy = bench.folder + "/copy"
        _ = try await bench.output("import", export, "--store", copy)
        let end = try await bench.run("replay", "store", "--json", "--store", copy)
        #expect(try Line(end.text).text("digest") == digest, "exported and imported")
        try await bench.expect("log", "verify")
    }
}
