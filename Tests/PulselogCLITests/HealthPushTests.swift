import Foundation
import TestSelection
import TestSupport
import Testing

@Suite("Health totals by HTTP")
struct HealthPushTests {
    private let bench = Workbench()

    /// The port in an address such as `http://127.0.0.1:8367/health`.
    private func port(in text: String) throws -> UInt16 {
        let address = text.split(separator: " ").first { $0.hasPrefix("http://127.0.0.1:") }
        let digits = address?.dropFirst(17).prefix { $0.isNumber } ?? ""
        guard let port = UInt16(digits) else { throw ProgramError("No port in \(text)") }
        return port
    }

    private func post(_ body: String, token: String, to port: UInt16) async throws -> Reply {
        let head = """
            POST /health HTTP/1.1\r
            Host: 127.0.0.1:\(port)\r
            Authorization: Bearer \(token)\r
            Content-Type: application/json\r
            Content-Length: \(body.utf8.count)\r
            \r

            """
        return try await Peer.send(Array((head + body).utf8), to: port)
    }

    private func token() async throws -> String {
        try Line(try await bench.run("health", "token", "--json").lines[0]).text("token")
    }

    @Test(
        "keep no serve from its end that waits for a stopped writer", .slow,
        .timeLimit(.minutes(5)),
        arguments: [SIGINT, SIGTERM])
    func stoppedWriter(_ signal: Int32) async throws {
        let program = try bench.start(["serve", "--port", "0", "--json"])
        let announced = try await program.line { $0.contains("address") }
        let port = try port(in: try Line(announced.text).text("address"))
        let token = try await token()
        try await bench.withOtherWriter { writer in
            writer.stop()
            async let reply = post(
                #"{"date":"2026-03-01","steps":8123}"#, token: token, to: port)
            try await program.message(containing: writer.words)
            await program.finish(by: signal)
            #expect(try await reply.status != 200)
        }
        let log = try await bench.text("export")
        #expect(!log.contains(#""total":8123"#))
    }

    @Test("are taken by serve, once, until it is interrupted")
    func serve() async throws {
        let program = try bench.start(["serve", "--port", "0", "--json"])
        let announced = try await program.line { $0.contains("address") }
        let port = try port(in: try Line(announced.text).text("address"))
        let token = try await token()
        let body = #"{"date":"2026-03-01","steps":8123}"#
        #expect(try await post(body, token: "wrong", to: port).status == 401)
        let taken = try await post(body, token: token, to: port)
        #expect(taken.status == 200, "\(taken.text)")
        #expect(try await post(body, token: token, to: port).body.contains(#""known""#))
        let log = try await bench.output("log", "cat", "--json")
        let lines = String(decoding: log, as: UTF8.self).split(separator: "\n")
        #expect(lines.count { $0.contains(#""total":8123"#) } == 1)
        #expect(!String(decoding: log, as: UTF8.self).contains(token))
        let end = await program.finish()
        #expect(!end.text.contains(token) && !end.messages.contains(token))
    }

    @Test("are taken by serve also if it cannot say where, and then it says that")
    func unannounced() async throws {
        for option in ["", "--json"] {
            let program = try bench.shell("exec \"$0\" serve --port 0 \(option) >/dev/full")
            let said = try await program.message(containing: "The output cannot be written: ")
            let port = try port(in: said.text)
            let token = try await token()
            let body = #"{"date":"2026-03-01","steps":8123}"#
            #expect(try await post(body, token: token, to: port).status == 200)
            await program.finish()
        }
    }

    @Test("are taken by record beside the walk, which Ctrl-C ends")
    func record() async throws {
        let program = try bench.start(["record", "--simulate", "--health-port", "0", "--json"])
        let said = try await program.message(containing: "Health totals are accepted at")
        let port = try port(in: said.text)
        let token = try await token()
        let body = #"{"date":"2026-03-01","steps":60000}"#
        #expect(try await post("{", token: token, to: port).status == 400)
        let taken = try await post(body, token: token, to: port)
        #expect(taken.status == 200, "\(taken.text)")
        try await program.line { $0.contains(#""total":60000"#) }
        try await program.event("pedometerRead")
        await program.finish()
    }

    @Test("are taken by record only once its start is durable", .slow, .timeLimit(.minutes(5)))
    func beforeTheStart() async throws {
        let token = try await token()
        _ = try await bench.output("profile", "set", "height=180cm")
        let died = try bench.start(["record", "--json", "--simulate"])
        try await died.waitForHeartRates(2)
        died.signal(SIGKILL)
        _ = await died.end
        let before = try await bench.run("export").lines.count
        var program: RunningProgram?
        try await bench.withOtherWriter { writer in
            writer.stop()
            let record = try bench.start(["record", "--simulate", "--health-port", "0", "--json"])
            program = record
            // Nobody is invited before.
            for await line in record.messages {
                #expect(!line.text.contains("Health totals are accepted at"))
                if line.text.contains(writer.words) { break }
            }
        }
        let record = try #require(program)
        let said = try await record.message(containing: "Health totals are accepted at")
        let port = try port(in: said.text)
        let body = #"{"date":"2026-03-01","steps":60000}"#
        #expect(try await post(body, token: token, to: port).status == 200)
        await record.finish()
        let kinds = try await bench.run("export").lines.dropFirst(before).map {
            try Line($0).text("kind")
        }
        let start = try #require(kinds.firstIndex(of: "recorderStarted"))
        let total = try #require(kinds.firstIndex(of: "healthTotalObserved"))
        #expect(start < total)
    }

    @Test(
        "at a port in use are refused before anything is recorded", arguments: ["serve", "record"])
    func portInUse(_ command: String) async throws {
        let other = Workbench()
        let program = try other.start(["serve", "--port", "0"])
        let announced = try await program.line { $0.contains("http") }
        let port = String(try port(in: announced.text))
        let end =
            command == "serve"
            ? try await bench.run("serve", "--port", port)
            : try await bench.run("record", "--simulate", "--health-port", port)
        #expect(end.status == 69)
        #expect(end.messages.contains("Another program is listening on port \(port)"))
        #expect(!FileManager.default.fileExists(atPath: bench.store))
        await program.finish(by: SIGTERM)
    }

    @Test("need a token that only its owner can read")
    func tokenFile() async throws {
        let first = try await token()
        #expect(first.utf8.count == 43)
        #expect(try await bench.run("health", "token").text == first + "\n")
        let path = bench.store + "/health-token"
        #expect(chmod(path, 0o644) == 0)
        try await bench.expect("health", "token", status: 77, says: "chmod 600")
    }
}
