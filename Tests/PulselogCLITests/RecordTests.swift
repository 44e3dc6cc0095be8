import Foundation
import TestSupport
import Testing

/// The unchanged recorder against a strap that FakeStrap plays on a private bus.
@Suite("pulselog record")
struct RecordTests {
    let bench: Workbench

    init() throws {
        bench = try Workbench()
    }

    static func capture(_ name: String) -> String {
        GoldenReplayTests.Case(name: name).capture
    }

    @Test("records what the strap delivered, byte for byte and in order")
    func everyValue() async throws {
        try await bench.playing("--capture", Self.capture("one-minute"), "--speed", "30") { strap in
            let record = try bench.start(["record", "--json"], strap.variables)
            try await record.waitForHeartRates(75)
            _ = try await bench.output("stop")
            let end = await record.end
            #expect(end.status == 0, "\(end.messages)")
            let delivered = try strap.deliveredHeartRates()
            #expect(delivered.count == 75)
            #expect(try Self.heartRates(end.lines) == delivered)
            try expectTotals(of: delivered, in: try result(end))
            try await expectOneDigest(try result(end))
        }
    }

    @Test("survives drops, inside and outside of the grace", arguments: ["inside", "outside"])
    func drops(_ side: String) async throws {
        let capture = Self.capture("drop-\(side)-grace")
        try await bench.playing("--capture", capture, "--speed", "20", "--wait-for-return") {
            strap in
            let record = try bench.start(["record", "--json"], strap.variables)
            try await strap.waitForEnd()
            let delivered = try strap.deliveredHeartRates()
            #expect(delivered.count == 60)
            try await record.waitForHeartRates(delivered.count)
            _ = try await bench.output("stop")
            let end = await record.end
            #expect(end.status == 0, "\(end.messages)")
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
            let status = try Line(await bench.run("status", "--json").text)
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
            record.signal(SIGINT)
            #expect(await record.end.status == 0)
            let after = try await bench.run("status")
            #expect(after.text.contains("No recorder is running."))
        }
    }

    @Test("leaves the session open on SIGTERM, and goes on with it")
    func goingOn() async throws {
        try await bench.playing("--capture", Self.capture("one-minute"), "--speed", "1") { strap in
            let first = try bench.start(["record", "--json"], strap.variables)
            try await first.waitForHeartRates(3)
            first.signal(SIGTERM)
            #expect(await first.end.status == 0)
            let second = try bench.start(["record", "--json"], strap.variables)
            try await second.message(containing: "is open; continuing it")
            try await second.waitForHeartRates(3)
            _ = try await bench.output("stop")
            let end = await second.end
            #expect(end.status == 0)
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
            record.signal(SIGINT)
            #expect(await record.end.status == 0)
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
            first.signal(SIGINT)
            #expect(await first.end.status == 0)
            let forgotten = try await bench.run("devices", "forget", "C4:00:00:00:00:01")
            #expect(forgotten.text.contains("`pulselog devices pair C4:00:00:00:00:01`"))
            let second = try bench.start(["record", "--json"], strap.variables)
            try await second.message(containing: "Paired Strap Far; it is primary.")
            // Named it is taken, beside the recorder, which has no strap then.
            let early = try await bench.run("devices", "pair", "C4:00:00:00:00:01")
            #expect(early.status == 75 && early.messages.contains("is connected to Strap Far"))
            _ = try await bench.output("devices", "forget", "C4:00:00:00:00:02")
            let paired = try await bench.run("devices", "pair", "C4:00:00:00:00:01")
            #expect(paired.status == 0, "\(paired.messages)")
            #expect(paired.text.contains("it is primary, and the recorder is connected to it"))
            try await second.line {
                $0.contains(#""kind":"characteristicNotified""#)
                    && $0.contains(#""device":"C4:00:00:00:00:01""#)
            }
            let absent = try await bench.run("devices", "pair", "C4:00:00:00:00:07")
            #expect(absent.status == 75, "the strap is there")
            second.signal(SIGINT)
            #expect(await second.end.status == 0)
        }
    }

    @Test("a strap that was chosen beside the recorder stays so if it does not come")
    func chosenBeside() async throws {
        let pod = #"{"id":"pod","name":"Pod","address":"C4:00:00:00:00:03","services":["rsc"]}"#
        try await bench.playing(scenario: #"{"devices":[\#(pod)]}"#) { strap in
            let record = try bench.start(["record", "--json"], strap.variables)
            try await record.line { $0.contains(#""kind":"sessionStarted""#) }
            let first = "C4:00:00:00:00:01"
            let absent = try await bench.run("devices", "pair", first, "--seconds", "1")
            #expect(absent.status == 69)
            #expect(absent.messages.contains("`pulselog devices forget \(first)`"))
            let second = "C4:00:00:00:00:02"
            let other = try await bench.run("devices", "pair", second, "--seconds", "1")
            #expect(other.status == 69)
            #expect(other.messages.contains("`pulselog devices primary \(first)`"))
            let devices = try await bench.run("devices", "--json").lines
            #expect(devices.count == 2)
            let primary = devices.filter { $0.contains(#""primary":["heart"]"#) }
            #expect(primary.count == 1 && primary[0].contains(second))
            let again = try await bench.run("devices", "pair", second)
            #expect(again.status == 75 && again.messages.contains("is looking for it"))
            _ = try await bench.output("pause")
            let paused = try await bench.run("devices", "pair", first)
            #expect(paused.status == 75 && paused.messages.contains("The walk is paused"))
            record.signal(SIGINT)
            #expect(await record.end.status == 0)
        }
    }

    @Test("leaves a strap alone that was named and is forgotten, and takes another")
    func forgettingNamed() async throws {
        try await bench.playing(scenario: Self.twoStraps) { strap in
            let record = try bench.start(
                ["record", "--json", "--device", "C4:00:00:00:00:02"], strap.variables)
            try await record.waitForHeartRates(2)
            _ = try await bench.output("devices", "forget", "C4:00:00:00:00:02")
            try await record.message(
                containing: "Strap Far was forgotten; this recording no longer uses it.")
            try await record.message(containing: "Paired Strap Near; it is primary.")
            try await record.line { $0.contains(#""kind":"devicePaired""#) }
            try await record.line {
                $0.contains(#""kind":"characteristicNotified""#)
                    && $0.contains(#""device":"C4:00:00:00:00:01""#)
            }
            record.signal(SIGINT)
            #expect(await record.end.status == 0)
        }
    }

    @Test("finds the worn strap beside one that Bluetooth only remembers")
    func remembered() async throws {
        try await bench.playing("--scenario", Self.scenario("remembered")) { strap in
            let record = try bench.start(["record", "--json"], strap.variables)
            try await record.message(
                containing: "Paired Strap Worn; it is primary. Also in range: Strap Far "
                    + "(C4:00:00:00:00:03).")
            try await record.waitForHeartRates(3)
            record.signal(SIGINT)
            #expect(await record.end.status == 0)
            let devices = try await bench.run("devices", "--json")
            #expect(devices.lines.count == 1)
            #expect(devices.text.contains("Strap Worn"))
        }
    }

    @Test("finds a strap that another program is connected to, and that is silent therefore")
    func linked() async throws {
        try await bench.playing("--scenario", Self.scenario("linked")) { strap in
            let record = try bench.start(["record", "--json"], strap.variables)
            try await record.message(containing: "Paired Strap One; it is primary.")
            try await record.waitForHeartRates(3)
            record.signal(SIGINT)
            #expect(await record.end.status == 0)
        }
    }

    @Test("pairs a strap that counts steps as well for both, and records both")
    func twoRoles() async throws {
        let scenario = #"""
            {"devices":[{"id":"strap","name":"Strap Run","address":"C4:00:00:00:00:01",
                "services":["hr","rsc"],"play":[{"wait":"subscribed","char":"2A37"},
                    {"wait":"subscribed","char":"2A53"},{"notify":"2A37","hex":"063c"},
                    {"rsc":{"speed":3.2,"cadence":86}}]}]}
            """#
        try await bench.playing(scenario: scenario) { strap in
            let record = try bench.start(["record", "--json"], strap.variables)
            try await record.message(
                containing: "Paired Strap Run for heart rate and steps; it is primary.")
            try await record.waitForHeartRates(1)
            try await record.line { $0.contains(#""kind":"pedometerRead""#) }
            record.signal(SIGINT)
            #expect(await record.end.status == 0)
        }
    }

    @Test("hears nothing of a strap that comes back in a pause, and all of it again after resume")
    func pausedWhileAway() async throws {
        let scenario = #"""
            {"devices":[{"id":"strap","name":"Strap One","address":"C4:00:00:00:00:01",
                "services":["hr","battery"],
                "play":[{"wait":"subscribed","char":"2A19"},{"notify":"2A37","hex":"063c"},
                    {"drop":"out-of-range","for":12},{"wait":"subscribed","char":"2A19"},
                    {"stream":"hr","for":2,"rate":10,"bpm":90},
                    {"set":"2A19","hex":"0c","notify":true},
                    {"wait":"subscribed","char":"2A37"},{"notify":"2A37","hex":"063d"}]}]}
            """#
        try await bench.playing(scenario: scenario) { strap in
            let record = try bench.start(["record", "--json"], strap.variables)
            try await record.line { $0.contains(#""kind":"linkLost""#) }
            _ = try await bench.output("pause")
            try await record.line {
                $0.contains(#""kind":"characteristicNotified""#) && $0.contains(#""value":"0c""#)
            }
            _ = try await bench.output("resume")
            try await strap.waitForEnd()
            try await record.waitForHeartRates(1)
            record.signal(SIGINT)
            let end = await record.end
            #expect(end.status == 0)
            #expect(try strap.deliveredHeartRates() == ["063c", "063d"])
            #expect(try Self.heartRates(end.lines) == ["063c", "063d"])
        }
    }

    @Test("connects anew when the adapter is back, whatever became of the attempt before")
    func powerAtLoss() async throws {
        let scenario = #"""
            {"devices":[{"id":"strap","name":"Strap One","address":"C4:00:00:00:00:01",
                "play":[{"wait":"subscribed"},{"hr":80},{"wait":"disconnected"},
                    {"wait":"subscribed","timeout":20},{"hr":81}]}],
             "play":[{"wait":"subscribed","device":"strap"},{"sleep":1},{"ignore":"Connect"},
                {"drop":"out-of-range","device":"strap","for":0.2},{"sleep":1},
                {"power":false},{"sleep":1},{"power":true}]}
            """#
        try await bench.playing(scenario: scenario) { strap in
            let record = try bench.start(["record", "--json"], strap.variables)
            try await record.waitForHeartRates(2)
            try await strap.waitForEnd()
            #expect(try strap.deliveredHeartRates().count == 2)
            record.signal(SIGINT)
            #expect(await record.end.status == 0)
        }
    }

    /// A scenario of the repository.
    private static func scenario(_ name: String) -> String {
        URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
            .appending(path: "Tools/Play/FakeStrap/Scenarios/\(name).json").path
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
        #expect(try await bench.run("log", "verify").status == 0)
    }
}

extension RunningProgram {
    /// Waits until `record --json` has shown this many more heart-rate values.
    func waitForHeartRates(_ count: Int) async throws {
        for _ in 0..<count {
            try await line {
                $0.contains(#""kind":"characteristicNotified""#)
                    && $0.contains(#""characteristic":"heartRateMeasurement""#)
            }
        }
    }
}
