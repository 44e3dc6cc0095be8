import Foundation
import TestSelection
import TestSupport
import Testing

@Suite("Health totals by HTTP")
struct HealthPushTests {
    private let bench = Workbench()

    /// Waits until a recorder accepts totals, and gives its port.
    private func port(of record: RunningProgram) async throws -> UInt16 {
        let said = try await record.message(containing: "Health totals are accepted at")
        return try #require(said.text.ownPort)
    }

    private static let total = #"{"date":"2026-03-01","steps":8123}"#

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
        try await bench.object("health", "token").text("token")
    }

    @Test(
        "keep no serve from its end that waits for a stopped writer", .slow,
        .timeLimit(.minutes(5)),
        arguments: [SIGINT, SIGTERM])
    func stoppedWriter(_ signal: Int32) async throws {
        let page = try await ServedPage(bench)
        let token = try await token()
        try await bench.withOtherWriter { writer in
            writer.stop()
            async let reply = post(Self.total, token: token, to: page.port)
            try await page.server.message(containing: writer.words)
            await page.server.finish(by: signal)
            #expect(try await reply.status != 200)
        }
        let log = try await bench.text("export")
        #expect(!log.contains(#""total":8123"#))
    }

    @Test("are taken by serve, once, until it is interrupted")
    func serve() async throws {
        let page = try await ServedPage(bench)
        let token = try await token()
        #expect(try await post(Self.total, token: "wrong", to: page.port).status == 401)
        let taken = try await post(Self.total, token: token, to: page.port)
        #expect(taken.status == 200, "\(taken.text)")
        #expect(try await post(Self.total, token: token, to: page.port).body.contains(#""known""#))
        let log = try await bench.run("log", "cat", "--json")
        #expect(log.lines.count { $0.contains(#""total":8123"#) } == 1)
        #expect(!log.text.contains(token))
        let end = await page.server.finish()
        #expect(!end.text.contains(token) && !end.messages.contains(token))
    }

    @Test("are taken by serve also if it cannot say where, and then it says that")
    func unannounced() async throws {
        for option in ["", "--json"] {
            let program = try bench.shell("exec \"$0\" serve --port 0 \(option) >/dev/full")
            let said = try await program.message(containing: "The output cannot be written: ")
            let port = try #require(said.text.ownPort)
            #expect(try await post(Self.total, token: token(), to: port).status == 200)
            await program.finish()
        }
    }

    @Test("are taken by record beside the walk, which Ctrl-C ends")
    func record() async throws {
        let program = try bench.start(["record", "--simulate", "--port", "0", "--json"])
        let port = try await port(of: program)
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
            let record = try bench.start(["record", "--simulate", "--port", "0", "--json"])
            program = record
            // Nobody is invited before.
            for await line in record.messages {
                #expect(!line.text.contains("Health totals are accepted at"))
                if line.text.contains(writer.words) { break }
            }
        }
        let record = try #require(program)
        let port = try await port(of: record)
        #expect(try await post(Self.total, token: token, to: port).status == 200)
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
        let page = try await ServedPage(other)
        let options = command == "serve" ? ["--port"] : ["--simulate", "--port"]
        try await bench.expect(
            [command] + options + ["\(page.port)"], status: 69,
            says: "Another program is listening on port \(page.port)")
        #expect(!FileManager.default.fileExists(atPath: bench.store))
        await page.end()
    }

    @Test("need a token that only its owner can read")
    func tokenFile() async throws {
        let first = try await token()
        #expect(first.utf8.count == 43)
        #expect(try await bench.run("health", "token").text == first + "\n")
        let second = try await bench.text("health", "token", "--new")
        #expect(second != first + "\n")
        #expect(try await bench.text("health", "token") == second)
        let path = bench.store + "/health-token"
        #expect(chmod(path, 0o644) == 0)
        try await bench.expect("health", "token", status: 77, says: "chmod 600")
    }
}
