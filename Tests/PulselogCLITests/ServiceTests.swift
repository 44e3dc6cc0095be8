import Foundation
import TestSupport
import Testing

@Suite("The page as a service", .timeLimit(.minutes(5)))
struct ServiceTests {
    private let bench = Workbench()

    @Test("says that it is ready, alive and stopping, and keeps its secret from the journal")
    func messages() async throws {
        let socket = try NotifySocket(bench.folder + "/notify")
        let server = try bench.start(
            ["serve", "--port", "0"],
            ["NOTIFY_SOCKET": bench.folder + "/notify", "WATCHDOG_USEC": "1000000"])
        var heard: [String] = []
        while heard.count < 3 { heard.append(await socket.receive()) }
        #expect(Set(heard) == ["READY=1", "WATCHDOG=1"])
        #expect(heard.filter { $0 == "READY=1" }.count == 1)
        server.signal(SIGTERM)
        var last = ""
        while last != "STOPPING=1" { last = await socket.receive() }
        let end = await server.end
        #expect(end.status == 0)
        #expect(!end.text.contains("token="))
        #expect(end.text.contains("`pulselog serve --open` shows the page."))
    }

    @Test("keeps the page's secret from the journal also where it is shown beside a recorder")
    func recorder() async throws {
        let command = """
            export JOURNAL_STREAM=$(stat -L -c %d:%i /proc/$$/fd/1)
            exec "$0" record --simulate --serve --port 0 --for 2s
            """
        let end = try await bench.shell(command).end
        #expect(end.status == 0, "\(end)")
        let said = end.text + end.messages
        #expect(!said.contains("token="))
        #expect(said.contains("`pulselog serve --open` shows the page."), "\(said)")
    }

    /// Passes a socket of an address on, as systemd does, and becomes the program that is named.
    private static func passing(_ address: String, listens: Bool = true) -> String {
        """
        use Socket; use POSIX (); $^F = 9;
        socket(my $s, \(address.contains(":") ? "PF_INET6" : "PF_INET"), SOCK_STREAM, 0) or die;
        bind($s, \(address.contains(":")
            ? "pack_sockaddr_in6(0, Socket::inet_pton(AF_INET6, '\(address)'))"
            : "sockaddr_in(0, inet_aton('\(address)'))")) or die;
        \(listens ? "listen($s, 16) or die;" : "")
        POSIX::dup2(fileno($s), 3);
        $ENV{LISTEN_PID} = $$; $ENV{LISTEN_FDS} = 1;
        exec @ARGV;
        """
    }

    private func serve(_ script: String, _ options: [String] = []) throws -> RunningProgram {
        let program = RunningProgram.pulselog
        return try RunningProgram(
            "/usr/bin/perl", ["-e", script, program, "serve", "--json"] + options,
            environment: bench.environment())
    }

    @Test("answers at the port that is passed on to it")
    func activation() async throws {
        let page = try await ServedPage(try serve(Self.passing("127.0.0.1"), ["--port", "1"]))
        #expect(page.port != 1)
        #expect(try await page.get("/").status == 200)
        await page.end()
    }

    @Test(
        "refuses a socket that others could reach, or that nobody can",
        arguments: [("0.0.0.0", true), ("127.0.0.2", true), ("::1", true), ("127.0.0.1", false)])
    func refusal(_ address: String, _ listens: Bool) async throws {
        let end = try await serve(Self.passing(address, listens: listens)).end
        #expect(end.status == 69)
        #expect(end.messages.contains("something else than one port of 127.0.0.1"), "\(end)")
        #expect(!FileManager.default.fileExists(atPath: bench.store))
    }

    @Test("ignores what was passed on to another process")
    func another() async throws {
        let script = Self.passing("0.0.0.0").replacing("= $$;", with: "= $$ + 1;")
        let page = try await ServedPage(try serve(script, ["--port", "0"]))
        #expect(try await page.get("/").status == 200)
        await page.end()
    }

    @Test("is opened in the browser by another call of its user")
    func opening() async throws {
        let page = try await ServedPage(bench)
        try await bench.expect("serve", "--open", "--port", "\(page.port)")
        let file = try String(contentsOfFile: bench.store + "/open.html", encoding: .utf8)
        #expect(file.contains("http://127.0.0.1:\(page.port)/?token=\(page.token)"))
        await page.end()
    }
}
