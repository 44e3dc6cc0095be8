import Events
import TestSupport
import Testing

@Suite("Captures of two straps")
struct TwoStrapCaptureTests {
    let bench = Workbench()

    private static let one = "C4:00:00:00:00:01"
    private static let two = "C4:00:00:00:00:02"

    /// Strap two sends 180 BPM three times, amid ten values of 100 BPM and fewer of strap one.
    private static let btsnoop = CaptureReplayTests.btsnoop(
        [
            "043e13 01 00 4000 00 01 010000 0000c4 1800 0000 2a00 00",
            "043e13 01 00 4100 00 01 020000 0000c4 1800 0000 2a00 00",
        ]
            + (0..<13).map { index in
                index % 4 == 3
                    ? "02 4120 0900 0500 0400 1b 1000 00b4" : "02 4020 0900 0500 0400 1b 1000 0064"
            })

    /// The same as JSON Lines without a session.
    private static func jsonLines(_ first: String = one) throws -> [String] {
        try (0..<13).map { index in
            let (device, rate) = index % 4 == 3 ? (two, 180 as UInt8) : (first, 100)
            return Event.notified(try #require(DeviceID(device)), [0, rate]).line(
                at: Int64(index) * 1_000)
        }
    }

    private func rates(_ end: RunningProgram.End) throws -> (samples: Int, max: Int) {
        let rates = try Line(end.text).objects("sessions")[0].object("heartRate")
        return (try rates.integer("samples"), try rates.integer("max"))
    }

    @Test("are those of the strap that sent the most, unless another one is chosen")
    func replay() async throws {
        let btsnoop = try bench.file("two.btsnoop", Self.btsnoop)
        let lines = try bench.log("two.jsonl", of: Self.jsonLines())
        for arguments in [[btsnoop, "--handle", "0x10=2a37"], [lines]] {
            let most = try await bench.expect(["replay", "--json"] + arguments)
            #expect(try rates(most) == (10, 100))
            #expect(most.messages.contains("2 straps sent heart rates"), "\(most.messages)")
            #expect(most.messages.contains("--device chooses another one: \(Self.two) (3 heart"))
            let chosen = ["replay", "--json", "--device", Self.two] + arguments
            let other = try await bench.start(chosen).end
            #expect(try rates(other) == (3, 180))
            #expect(other.messages.contains("\(Self.one) (10 heart rates)"))
            let unknown = ["replay", "--device", "C4:00:00:00:00:77"] + arguments
            let none = try await bench.expect(unknown, status: 66, says: Self.two)
            #expect(none.output.isEmpty)
        }
        // Of one strap nothing is said.
        let alone = try await bench.expect(
            "replay", try bench.log("one.jsonl", of: Self.jsonLines(Self.two)), "--json")
        #expect(alone.messages.isEmpty)
        // A log is no capture.
        let log = ReplayCase("two-straps").capture
        try await bench.expect(
            "replay", log, "--device", Self.one, status: 64, says: "sessions exclude")
    }

    @Test("are imported as one heart")
    func imported() async throws {
        let path = try bench.file("two.btsnoop", Self.btsnoop)
        try await bench.expect(
            "import", path, "--handle", "0x10=2a37", "--device", Self.two, says: "3 heart rates",
            warns: Self.one)
        let events = try await bench.run("log", "cat", "--json").text
        #expect(events.contains(Self.two) && !events.contains(Self.one))
        try await bench.expect("sessions", "exclude", Self.two, status: 64, says: "recorded here")
    }

    @Test("that hold nothing but a battery's charge import nothing")
    func battery() async throws {
        let path = try bench.file(
            "battery.btsnoop",
            CaptureReplayTests.btsnoop([
                "043e13 01 00 4000 00 01 010000 0000c4 1800 0000 2a00 00",
                "02 4020 0800 0400 0400 1b 1000 48",
            ]))
        let end = try await bench.expect(
            "import", path, "--handle", "0x10=2a19", status: 65,
            says: "no heart-rate characteristic here")
        #expect(end.output.isEmpty)
        try await bench.expect("log", "stats", status: 66)
    }
}
