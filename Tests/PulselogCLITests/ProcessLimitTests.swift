import Foundation
import TestSelection
import TestSupport
import Testing

/// A limit that is too low is a sentence, not a trap of the runtime and no wait for ever.
@Suite("Low limits")
struct ProcessLimitTests {
    let bench = Workbench()

    static let commands = [
        ["status"], ["log", "verify"], ["export"], ["record", "--simulate", "--for", "1s"],
        ["doctor"], ["health", "5"], ["scan", "--seconds", "1"],
    ]

    /// Runs a command under a limit, as a shell sets it.
    private func run(_ limit: String, _ command: [String]) async throws -> RunningProgram.End {
        try await bench.shell("\(limit) && exec \"$0\" \"$@\"", command, limitSeconds: 60).end
    }

    @Test(
        "of descriptors, threads or address space end with a sentence, or hinder nothing",
        arguments: sample(commands))
    func limits(_ command: [String]) async throws {
        _ = try await bench.output("health", "8123")
        // Below these the dynamic linker gives up before the program begins.
        let limits = [4, 5, 6, 7, 8, 10, 14, 20, 34].map { "ulimit -n \($0)" } + lowAddressSpaces
        for limit in limits {
            let end = try await run(limit, command)
            #expect(end.status >= 0, "\(command) \(limit): \(end.messages)")
            let words = end.messages + end.text
            #expect(end.status == 0 || words.contains("."), "\(command) \(limit)")
            if end.status == 78 {
                #expect(end.messages.contains("ulimit"), "\(command) \(limit): \(end.messages)")
            }
        }
        _ = try await bench.output("log", "verify")
    }

    @Test(
        "of descriptors let no stranger end a server by connecting",
        arguments: sample([72, 64, 96, 140]),
        sample([["serve"], ["record", "--simulate", "--serve"]]))
    func connections(_ count: Int, _ command: [String]) async throws {
        _ = try await bench.output("health", "8123")
        let port = command[0] == "serve" ? "--port" : "--port"
        let arguments = command + [port, "0"] + (command[0] == "serve" ? [] : ["--json"])
        let server = try bench.shell(
            "ulimit -n \(count) && exec \"$0\" \"$@\"", arguments, limitSeconds: 60)
        let lines = command[0] == "serve" ? server.lines : server.messages
        let announced = await lines.first { $0.text.ownPort != nil }
        guard let address = announced?.text.ownPort else {
            // Too few to begin with, which is said; how many are open already is not ours to know.
            let end = await server.end
            #expect([69, 78].contains(end.status), "\(end.messages)")
            #expect(end.messages.contains("ulimit -Hn"), "\(end.messages)")
            return
        }
        var strangers: [Peer.Connection] = []
        for _ in 0..<400 {
            let stranger = try Peer.Connection(to: address)
            stranger.send(Array("GET /api/status HTTP/1.1\r\n".utf8))
            strangers.append(stranger)
        }
        withExtendedLifetime(strangers) {}
        strangers = []
        let request = "GET /api/status HTTP/1.1\r\nHost: 127.0.0.1:\(address)\r\n\r\n"
        #expect(try await Peer.send(Array(request.utf8), to: address).status == 401)
        await server.finish()
    }

    private var lowAddressSpaces: [String] {
        [400_000, 420_000, 460_000, 500_000, 600_000, 700_000, 1_000_000, 4_000_000].map {
            "ulimit -v \($0)"
        }
    }

    @Test("of address space make the log's map smaller")
    func smallMap() async throws {
        let end = try await run("ulimit -v 2000000", ["record", "--simulate", "--for", "1s"])
        #expect(end.status == 0, "\(end.messages)")
        #expect(try await run("ulimit -v 2000000", ["log", "verify"]).status == 0)
    }

    @Test("of threads end with a sentence", arguments: [1, 5, 15])
    func threads(_ count: UInt) async throws {
        let program = RunningProgram.pulselog
        let end = try await #require(
            processExitsWith: .exitCode(78), observing: [\.standardErrorContent]
        ) { [program = program as String, count = count as UInt] in
            // Opened by whom it belongs to: others need not reach the folder of a build.
            let descriptor = open(program, O_RDONLY)
            // The system does not limit root, so root becomes somebody without other processes.
            if geteuid() == 0 { #expect(setreuid(61_183, 61_183) == 0) }
            var limit = rlimit(rlim_cur: count, rlim_max: count)
            #expect(setrlimit(Int32(__RLIMIT_NPROC.rawValue), &limit) == 0)
            let arguments = [strdup("pulselog"), strdup("--version"), nil]
            _ = fexecve(descriptor, arguments, environ)
            Issue.record("\(program) does not run: \(String(cString: strerror(errno)))")
        }
        #expect(String(decoding: end.standardErrorContent, as: UTF8.self).contains("few threads"))
    }
}
