import Foundation
import TestSupport
import Testing

/// The proxies of the guide, with what the guide has them do.
@Suite(
    "A proxy that speaks TLS to a phone", .timeLimit(.minutes(5)),
    .enabled(if: PhoneNetwork.isPossible, "not tested: no root, no namespaces or no curl"))
struct PhoneProxyTests {
    private let bench = Workbench()
    private let network: PhoneNetwork

    init() throws { network = try PhoneNetwork() }

    /// A block of the guide that begins with a text, for this machine's address and ports.
    private func snippet(_ beginning: String, port: UInt16) throws -> String {
        let page = URL(filePath: #filePath).deletingLastPathComponent().appending(
            path: "../../Sources/PulselogCLI/Documentation.docc/Guide/Phone.md")
        let parts = try String(contentsOf: page.standardized, encoding: .utf8)
            .components(separatedBy: "```\n")
        let text = try #require(parts.first { $0.hasPrefix(beginning) })
        return text.replacingOccurrences(of: "192.168.1.5:8367", with: "\(network.address):\(port)")
            .replacingOccurrences(of: "192.168.1.5", with: network.address)
    }

    /// Pairs through the proxy, sees the walk, and is refused what is refused without it.
    private func goThrough(_ more: [String]) async throws {
        let address = "https://\(network.address)"
        let link = try await bench.run("serve", "pair", "--json").lines[0]
        let code = try Line(link).text("code")
        var paired = RunningProgram.End(status: 7, output: [], messages: "")
        // The proxy may not listen yet.
        for _ in 0..<100 where paired.status == 7 || paired.status == 35 {
            paired = try await network.start(
                more + [
                    "--include", "--retry", "10", "--retry-connrefused", "-H",
                    "Origin: \(address)", "--json", #"{"code":"\#(code)"}"#,
                    address + "/api/pair",
                ]
            ).end
        }
        let field = try #require(
            paired.text.firstMatch(of: /[Ss]et-[Cc]ookie: (([^;]+);.*)/), "\(paired)")
        #expect(field.1.hasSuffix("; Secure"))
        let cookie = "Cookie: \(field.2)"
        let recorder = try bench.start(["record", "--simulate", "--json"])
        let stream = try network.start(more + ["-N", "-H", cookie, address + "/api/events"])
        try await stream.event("characteristicNotified")
        stream.signal(SIGTERM)
        for (origin, status) in [(address, 200), ("https://evil.example", 403)] {
            let reply = try await network.start(
                more + [
                    "--include", "-H", cookie, "-H", "Origin: \(origin)", "--json",
                    #"{"command":"mark"}"#, address + "/api/commands",
                ]
            ).end
            #expect(reply.lines[0].contains(" \(status)"), "\(reply.text)")
        }
        let stranger = try await network.start(
            more + ["--include", address + "/api/status"]
        ).end
        #expect(stranger.lines[0].contains(" 401"))
        await recorder.finish()
    }

    private func serving(_ body: (UInt16) async throws -> Void) async throws {
        let page = try await ServedPage(bench, "--listen", network.address)
        let port = page.phones.flatMap(URL.init(string:))?.port.flatMap(UInt16.init)
        try await body(try #require(port))
        await page.end()
    }

    private static let caddy = "/usr/bin/caddy"
    private static let nginx = "/usr/sbin/nginx"
    private static let openssl = "/usr/bin/openssl"

    private static func has(_ programs: String...) -> Bool {
        programs.allSatisfy { FileManager.default.isExecutableFile(atPath: $0) }
    }

    @Test(
        "is Caddy, as the guide has it",
        .enabled(if: has(caddy), "not tested: Caddy is not installed"))
    func throughCaddy() async throws {
        try await serving { port in
            let own = "{\n admin off\n skip_install_trust\n auto_https disable_redirects\n}\n"
            let file = try bench.file(
                "Caddyfile", Array((own + snippet("https://", port: port)).utf8))
            let proxy = try RunningProgram(
                Self.caddy, ["run", "--config", file, "--adapter", "caddyfile"],
                environment: bench.environment(["XDG_DATA_HOME": bench.folder + "/caddy"]))
            let root = bench.folder + "/caddy/caddy/pki/authorities/local/root.crt"
            try await proxy.message(containing: "serving initial configuration")
            try await goThrough(["--cacert", root])
            proxy.signal(SIGTERM)
            _ = await proxy.end
        }
    }

    @Test(
        "is nginx, as the guide has it",
        .enabled(if: has(nginx, openssl), "not tested: nginx or openssl is not installed"))
    func throughNginx() async throws {
        try await serving { port in
            let made = try await RunningProgram(
                Self.openssl,
                [
                    "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-subj", "/CN=walks",
                    "-addext", "subjectAltName=IP:\(network.address)",
                    "-keyout", bench.folder + "/key", "-out", bench.folder + "/certificate",
                ], environment: bench.environment()
            ).end
            #expect(made.status == 0, "\(made.messages)")
            let server = try snippet("server {", port: port)
                .replacingOccurrences(
                    of: "/etc/ssl/certs/pulselog.pem", with: bench.folder + "/certificate"
                ).replacingOccurrences(
                    of: "/etc/ssl/private/pulselog.key", with: bench.folder + "/key")
            let folders = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map {
                "\($0)_temp_path \(bench.folder)/\($0);"
            }
            let text = """
                daemon off; master_process off; pid \(bench.folder)/pid;
                error_log stderr; events {}
                http { access_log off; \(folders.joined(separator: " "))
                \(server)
                }
                """
            let file = try bench.file("nginx.conf", text)
            let proxy = try RunningProgram(
                Self.nginx, ["-c", file, "-p", bench.folder, "-e", "stderr"],
                environment: bench.environment())
            try await goThrough(["--cacert", bench.folder + "/certificate"])
            proxy.signal(SIGTERM)
            _ = await proxy.end
        }
    }
}
