import TestSelection
import TestSupport
import Testing

/// What a bad link would have made of a capture.
@Suite("pulselog replay --faults")
struct ReplayFaultsTests {
    let bench = Workbench()

    private func replay(_ options: [String]) async throws -> RunningProgram.End {
        let walk = ReplayCase("ordinary-walk").capture
        return try await bench.start(["replay", walk] + options).end
    }

    @Test(
        "says what is put in and what that changes, the same each time",
        arguments: sample(
            ["drops=1,duplicates=1,reorder=1,crash=1", "drops=2", "crash=1", "reorder=3"]))
    func changes(faults: String) async throws {
        let options = ["--faults", faults]
        let run = try await replay(options + ["--json"])
        #expect(run.status == 0, "\(run.messages)")
        let line = try Line(run.text)
        let wanted = faults.split(separator: ",").map { Int($0.split(separator: "=")[1]) ?? 0 }
        let put = try line.objects("faults").count
        // Where nobody listens already, no other fault can be.
        #expect((1...wanted.reduce(0, +)).contains(put))
        #expect(try !line.objects("differences").isEmpty)
        #expect(try await replay(options + ["--json"]).output == run.output)
        #expect(try await replay(options + ["--json", "--seed", "2"]).output != run.output)
        // The walk is what it was.
        let plain = try Line(try await replay(["--json"]).text)
        #expect(try plain.text("digest") == line.text("digest"))
        let words = try await replay(options).text
        #expect(words.contains("With these faults:\n"), "\(words)")
    }

    @Test("loses the values of a gap and no others")
    func counts() async throws {
        func figures(_ faults: String) async throws -> [[Int]] {
            let line = try Line(try await replay(["--faults", faults, "--json"]).text)
            return try [line, line.object("whatIf")].map { line in
                let rates = try #require(try line.objects("sessions").first).object("heartRate")
                return [try rates.integer("samples"), try rates.integer("sum")]
            }
        }
        let dropped = try await figures("drops=1").map { $0[0] }
        #expect(dropped[1] < dropped[0] && dropped[1] + 70 > dropped[0], "\(dropped)")
        let swapped = try await figures("reorder=30")
        #expect(swapped[0] == swapped[1])
        // A single copy cannot be told from a steady pulse.
        let doubled = try await figures("duplicates=5").map { $0[0] }
        #expect(doubled[1] == doubled[0] + 5)
    }

    @Test("refuses what makes no sense")
    func refused() async throws {
        let replay = "replay \(ReplayCase("ordinary-walk").capture) --faults"
        try await bench.expectComplaints([
            ("\(replay) drops=0", 64, "--faults"), ("\(replay) drops", 64, "--faults"),
            ("\(replay) drops=1,drops=2", 64, "--faults"), ("\(replay) rain=1", 64, "--faults"),
            ("\(replay) drops=1 --what-if countZero=true", 64, "--what-if"),
            ("\(replay) duplicates=1000", 66, "."),
        ])
    }
}
