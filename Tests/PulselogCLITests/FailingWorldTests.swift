import Foundation
import TestSelection
import TestSupport
import Testing

/// A recorder outlives what happens around it, and says it.
@Suite("Failing world")
struct FailingWorldTests {
    let bench = Workbench()

    @Test("lets a recorder wait for the bus")
    func noBus() async throws {
        let record = try bench.start(["record", "--json"])
        try await record.message(containing: "`pulselog doctor`")
        _ = try await bench.output("mark", "still", "here")
        try await record.line { $0.contains("still here") }
        let end = await record.finish()
        #expect(try Line(try #require(end.lines.last)).object("session").integer("marks") == 1)
    }

    @Test("tells a scan what is missing")
    func scanning() async throws {
        for (play, words) in [
            (#"{"adapter":"unplug"}"#, "No Bluetooth adapter was found in 1 s; plug one in"),
            ("", "No strap is in range. Wear it and moisten it"),
        ] {
            try await bench.playing(scenario: #"{"play":[\#(play)]}"#) { strap in
                let end = try await bench.expect(
                    "scan", "--seconds", "1", status: 69, says: words, variables: strap.variables)
                #expect(end.output.isEmpty && end.messages.split(separator: "\n").count == 1)
            }
        }
    }

    /// What happens while a recorder listens, how it ends, and what the recorder says meanwhile.
    static let troubles = [
        (#"{"daemon":"kill"}"#, #"{"daemon":"start"}"#, "daemon is not running"),
        (#"{"daemon":"stop"}"#, #"{"daemon":"start"}"#, "daemon is not running"),
        (#"{"adapter":"unplug"}"#, #"{"adapter":"plug"}"#, "adapter was removed"),
        (#"{"power":false}"#, #"{"power":true}"#, "switched off; waiting for it"),
    ]

    @Test(
        "lets a recorder wait for Bluetooth, and record when it is back", .slow, arguments: troubles
    )
    func waiting(trouble: String, remedy: String, words: String) async throws {
        let scenario = #"""
            {"devices":[{"address":"C4:00:00:00:00:01","name":"Strap One","play":[
                {"wait":"subscribed"},{"notify":"2A37","hex":"063c"},{"sleep":3},
                \#(trouble),{"sleep":8},\#(remedy),
                {"wait":"subscribed"},{"notify":"2A37","hex":"063d"}]}]}
            """#
        try await bench.playing(scenario: scenario) { strap in
            let record = try bench.start(["record", "--json"], strap.variables)
            try await record.message(containing: words)
            try await record.message(containing: "Bluetooth is back")
            try await record.waitForHeartRates(2)
            let end = await record.finish()
            #expect(try RecordTests.heartRates(end.lines) == ["063c", "063d"])
            let cause = trouble.contains("daemon") ? "daemonLost" : "adapterLost"
            #expect(end.text.contains(#""cause":"\#(cause)""#))
            let others = end.messages.split(separator: "\n").filter { message in
                !["Looking", "Connecting", "Paired", "is connected", words, "is back"].contains {
                    message.contains($0)
                }
            }
            #expect(others == [])
        }
    }

    @Test("says that a switch keeps Bluetooth off while it does")
    func blocked() async throws {
        let folder = bench.folder + "/rfkill"
        for (name, text) in [("type", "bluetooth\n"), ("soft", "1\n"), ("hard", "0\n")] {
            try bench.file("rfkill/rfkill0/" + name, text)
        }
        try await bench.playing(scenario: #"{"play":[{"power":false}]}"#) { strap in
            let variables = strap.variables.merging(["PULSELOG_RFKILL": folder]) { $1 }
            let record = try bench.start(["record", "--json"], variables)
            try await record.message(containing: "rfkill unblock bluetooth")
            await record.finish()
        }
    }

    // MARK: - A full disk

    /// What the busy strap sends: 500 a second, for 4 s.
    private static let valueCount = 2_000

    /// Lets FakeStrap play for a store on a small disk.
    private func playingOnDisk(
        _ scenario: String,
        _ body: (_ disk: SmallDisk, _ strap: StrapPlay, _ variables: [String: String])
            async throws -> Void
    ) async throws {
        let path = try bench.folder("disk")
        let disk = try SmallDisk(on: path)
        defer { disk.unmount() }
        try await bench.playing(scenario: scenario) { strap in
            let variables = strap.variables.merging(["PULSELOG_STORE": path + "/store"]) { $1 }
            try await body(disk, strap, variables)
        }
    }

    /// Makes room again.
    private func removeFiller() throws {
        try FileManager.default.removeItem(atPath: bench.folder + "/disk/filler")
    }

    /// A foot pod that sends much, and a strap that comes when the pod has sent for some seconds.
    private static let podAndStrap = #"""
        {"devices":[
            {"id":"pod","address":"C4:00:00:00:00:03","services":["rsc"],
             "play":[{"wait":"subscribed"},{"wait":"disconnected"},{"wait":"subscribed"},
                 {"stream":"rsc","for":12,"rate":300}]},
            {"address":"C4:00:00:00:00:01","name":"Strap One","advertise":false,
             "play":[{"wait":"subscribed","device":"pod"},{"wait":"disconnected","device":"pod"},
                 {"wait":"subscribed","device":"pod"},{"sleep":4},{"advertise":true},
                 {"wait":"subscribed"}]}]}
        """#

    @Test(
        "says that a strap is paired when that is durable, not before", .slow,
        .enabled(if: SmallDisk.isPossible))
    func pairing() async throws {
        try await playingOnDisk(Self.podAndStrap) { disk, strap, variables in
            _ = try await bench.output("devices", "pair", "C4:00:00:00:00:03", variables: variables)
            let record = try bench.start(["record", "--json"], variables)
            try await record.event("pedometerRead")
            try disk.fill("filler")
            try await record.message(containing: "The disk is full")
            try await strap.waitForEnd()
            let began = RunningProgram.now()
            try removeFiller()
            let said = try await record.message(containing: "Paired Strap One")
            #expect(said.bootMilliseconds >= began)
            try await record.event("devicePaired")
            await record.finish()
        }
    }

    /// Records from a busy strap onto a small disk, which is filled once the recording goes on.
    ///
    /// - Parameter body: Gets the recorder once it has said that the disk is full, and the play.
    /// - Throws: What `body` throws, or why the disk or the play failed.
    private func fillingDisk(
        _ body: (_ record: RunningProgram, _ strap: StrapPlay, _ variables: [String: String])
            async throws -> Void
    ) async throws {
        let scenario = #"""
            {"devices":[{"address":"C4:00:00:00:00:01","play":[
                {"wait":"subscribed"},{"stream":"hr","for":4,"rate":500,"rr":true},
                {"wait":"disconnected"}]}]}
            """#
        try await playingOnDisk(scenario) { disk, strap, variables in
            let record = try bench.start(["record", "--events"], variables)
            try await record.line { $0.contains("BPM") }
            try disk.fill("filler")
            try await record.message(containing: "The disk is full")
            try await body(record, strap, variables)
            try await bench.expect("log", "verify", variables: variables)
        }
    }

    @Test(
        "survives a disk that has room again, and loses nothing", .slow,
        .enabled(if: SmallDisk.isPossible),
        .timeLimit(.minutes(5)))
    func fullDiskWithRoomAgain() async throws {
        try await fillingDisk { record, strap, variables in
            try removeFiller()
            try await record.message(containing: "has room again")
            // The first one was shown before the disk was filled.
            for _ in 1..<Self.valueCount { try await record.line { $0.contains("BPM") } }
            let log = try await bench.run("export", variables: variables)
            let end = await record.finish()
            // A small commit may find room before a large one does.
            let told = end.messages.split(separator: "\n").filter { $0.contains("he disk ") }
            #expect(zip(told, told.dropFirst()).allSatisfy { $0 != $1 }, "\(told)")
            #expect(told.allSatisfy { $0.contains("is full. In") || $0.contains("room again") })
            try await strap.waitForEnd()
            #expect(try RecordTests.heartRates(log.lines) == strap.deliveredHeartRates())
            #expect(!log.text.contains("intakeOverflowed"))
        }
    }

    @Test(
        "ends a recording on a full disk when asked, leaves the strap, and keeps what it has shown",
        .slow,
        .enabled(if: SmallDisk.isPossible), arguments: [SIGINT, SIGTERM])
    func fullDisk(_ signal: Int32) async throws {
        try await fillingDisk { record, strap, variables in
            let end = await record.end(by: signal, within: 30_000)
            // A small commit may find room where a larger one did not, and the next one none again.
            let told = end.messages.split(separator: "\n").filter { $0.contains("he disk ") }
            let hasRoom = told.last?.contains("has room again") == true
            #expect(end.status == (hasRoom ? 0 : 74), "\(end.messages)")
            let last = try #require(end.messages.split(separator: "\n").last)
            #expect(hasRoom || last.contains("The disk is full") && last.contains("Make room"))
            try await strap.waitForEnd()
            try removeFiller()
            let log = try await bench.run("log", "cat", variables: variables)
            let shown = end.lines.filter { $0.prefix(10).last?.isNumber == true && $0.first == " " }
            #expect(shown.count > 0)
            #expect(log.lines.suffix(shown.count) == shown[...])
        }
    }
}
