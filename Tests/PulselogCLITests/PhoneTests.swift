import Foundation
import TestSelection
import TestSupport
import Testing

/// From another network namespace, as a phone sees the machine.
@Suite(
    "A phone on the network", .timeLimit(.minutes(5)),
    .enabled(if: PhoneNetwork.isPossible, "not tested: no root, no namespaces or no curl"))
struct PhoneTests {
    private let bench = Workbench()
    private let network: PhoneNetwork

    init() throws { network = try PhoneNetwork() }

    /// A page that is for phones as well.
    private struct Served {
        let page: ServedPage
        /// Where it is for phones, and for this machine.
        let address: String
        var own: String { "http://127.0.0.1:\(page.port)" }
    }

    private func serve() async throws -> Served {
        let page = try await ServedPage(bench, "--listen", network.address)
        return Served(page: page, address: try #require(page.phones))
    }

    private func offer(_ rights: String = "all") async throws -> (code: String, secret: String) {
        let end = try await bench.run("serve", "pair", "--rights", rights, "--json")
        let line = try Line(end.lines[0])
        let link = try line.text("link").components(separatedBy: "#pair=")
        return (try line.text("code"), link[1])
    }

    private func redeem(
        _ code: String, at address: String
    ) async throws -> (status: Int, text: String) {
        try await network.ask("--json", #"{"code":"\#(code)"}"#, address + "/api/pair")
    }

    /// Pairs, and gives the cookie as curl sends it.
    private func pair(_ served: Served, _ rights: String = "all") async throws -> String {
        let reply = try await redeem(try await offer(rights).code, at: served.address)
        #expect(reply.status == 200, "\(reply.text)")
        let field = try #require(reply.text.firstMatch(of: /Set-Cookie: ([^;]+)(; .*)/))
        #expect(field.2 == "; Path=/; HttpOnly; SameSite=Strict; Max-Age=34560000")
        return "Cookie: \(field.1)"
    }

    @Test("is let in by a code, sees the walk as it comes, pauses it, and reports a total")
    func whole() async throws {
        let recorder = try bench.start(["record", "--simulate", "--json"])
        try await recorder.event("sessionStarted")
        let served = try await serve()
        let cookie = try await pair(served)
        let shown = try await network.ask("-H", cookie, served.address + "/")
        #expect(shown.text.contains("\"/app-"))
        let stream = try network.start(["-N", "-H", cookie, served.address + "/api/events?from=0"])
        try await stream.event("characteristicNotified")
        let paused = try await network.ask(
            "-H", cookie, "--json", #"{"command":"pause"}"#, served.address + "/api/commands")
        #expect(paused.status == 200, "\(paused.text)")
        try await stream.event("sessionPaused")
        stream.signal(SIGTERM)
        let told = try await bench.run("serve", "devices", "add-push", "Steps", "--json").lines[0]
        let token = "Authorization: Bearer \(try Line(told).text("token"))"
        let total = #"{"date":"2026-03-01","steps":8123}"#
        for secret in [token, cookie] {
            let reply = try await network.ask(
                "-H", secret, "--json", total, served.address + "/health")
            #expect(reply.status == 200 && reply.text.contains("8123"), "\(reply.text)")
        }
        for path in ["/", "/app.js", "/api/status", "/api/events", "/api/log", "/api/phones"] {
            let reply = try await network.ask("-H", token, served.address + path)
            let isPairing = path == "/" && reply.text.contains("Pair this phone")
            #expect(isPairing || [401, 404].contains(reply.status), "\(path)")
        }
        // As a password it opens positions alone, and in the path as well.
        let login = ["--user", "x:\(try Line(told).text("token"))"]
        for path in ["/api/status", "/api/log", "/health", "/api/commands", "/metrics"] {
            let asked = ["--include"] + login + ["--json", "{}", served.address + path]
            let text = try await network.start(asked).end.text
            #expect(text.hasPrefix("HTTP/1.1 40"), "\(path): \(text)")
        }
        let offer = try Line(try await bench.run("serve", "positions", "Pixel", "--json").lines[0])
        let place = try await network.ask(
            "\(try offer.text("traccar"))?id=PH&lat=48.1&lon=11.5"
        )
        #expect(place.status == 200 && place.text.hasSuffix("[]\n"), "\(place.text)")
        #expect(try offer.text("ownTracks").hasPrefix("owntracks:///config?inline=ey"))
        let overlay = try Line(
            try await bench.run(
                "serve", "--port", "\(served.page.port)", "overlay", "Video", "--json"
            ).lines[0])
        let link = try overlay.text("networkLink")
        #expect(try link.hasPrefix(served.address) && overlay.text("link").hasPrefix(served.own))
        #expect(try await network.ask(link).text.contains("<title>Overlay"))
        let path = try "\(served.address)/api/overlay/\(overlay.text("token"))"
        let figures = try network.start(["-N", path])
        try await figures.line { $0.contains("figures") }
        figures.signal(SIGTERM)
        let devices = try await bench.run("serve", "devices").text
        #expect(devices.contains("Phone  all") && devices.contains("Steps  push totals"))
        #expect(devices.contains("Video  see the overlay"))
        try await bench.expect("serve", "devices", "name", "Phone", "Steps", status: 64)
        try await bench.expect("serve", "devices", "name", "Nobody", "X", status: 66)
        try await bench.expect("serve", "devices", "name", "Phone", "My phone")
        try await bench.expect("serve", "devices", "add-push", "My phone", status: 64)
        let named = try await bench.objects("serve", "devices")
        #expect(try named.map { try $0.text("name") } == ["My phone", "Steps", "Pixel", "Video"])
        await served.page.end()
        await recorder.finish()
    }

    @Test("may watch, or walk, until that is changed; the walker's commands learn who has started")
    func rights() async throws {
        let hook = #"[on]\#nstart = 'echo "by $PULSELOG_STARTED_BY" >"$HOME/started"'"#
        try bench.file(".config/pulselog/config.toml", hook)
        #expect(mkfifo(bench.folder + "/started", 0o600) == 0)
        let served = try await serve()
        let cookie = try await pair(served, "watch")
        let start = #"{"command":"start"}"#
        for (right, statuses) in [
            ("watch", [200, 403, 403]), ("walk", [200, 403, 200]), ("all", [200, 200, 409]),
        ] {
            try await bench.expect("serve", "devices", "rights", "Phone", right)
            for (path, status) in zip(["sessions", "profile", "commands"], statuses) {
                let body = path == "commands" ? ["--json", start] : []
                let asked = ["--include", "-H", cookie, "\(served.address)/api/\(path)"] + body
                let end = try await network.start(asked).end
                #expect(end.text.hasPrefix("HTTP/1.1 \(status) "), "\(path): \(end.text)")
                #expect((status == 403) == end.text.contains("serve devices rights"))
            }
        }
        #expect(try await bench.shell("cat ~/started").end.text == "by Phone\n")
        await served.page.end()
    }

    @Test("is let in to what a recorder serves as well, as the configuration file has it")
    func recorded() async throws {
        let file = try bench.file(
            "config.toml",
            """
            [record]
            serve = true
            port = 0
            listen = "\(network.address)"

            """)
        let recorder = try bench.start(
            ["record", "--simulate", "--json"], ["PULSELOG_CONFIG": file])
        try await recorder.event("sessionStarted")
        let announced = try await recorder.message(containing: "Nothing that goes there is")
        let told = announced.text.firstMatch(of: /http:[^ ;]+/)
        let address = String(try #require(told).output)
        #expect(address.hasPrefix("http://\(network.address):"))
        let paired = try await redeem(try await offer().code, at: address)
        #expect(paired.status == 200)
        let cookie = try #require(paired.text.firstMatch(of: /Set-Cookie: ([^;]+)/)).1
        let marked = try await network.ask(
            "-H", "Cookie: \(cookie)", "--json", #"{"command":"mark","text":"here"}"#,
            address + "/api/commands")
        #expect(marked.status == 200)
        try await recorder.line { $0.contains("sessionMarked") }
        await recorder.finish()
    }

    @Test("takes no place of the pages of this machine, however many streams it opens", .slow)
    func streams() async throws {
        let served = try await serve()
        let cookie = try await pair(served)
        var streams: [RunningProgram] = []
        for _ in 0..<16 {
            let stream = try network.start(["-N", "-H", cookie, served.address + "/api/events"])
            try await stream.line { $0.hasPrefix("data:") }
            streams.append(stream)
        }
        let more = try await network.ask("-H", cookie, served.address + "/api/events")
        #expect(more.status == 503 && more.text.contains("tooManyStreams"))
        let own = try RunningProgram(
            "/usr/bin/curl",
            [
                "--silent", "-N", "-H", "Authorization: Bearer \(served.page.token)",
                served.own + "/api/events",
            ], environment: [:])
        try await own.line { $0.hasPrefix("data:") }
        for stream in streams + [own] { stream.signal(SIGKILL) }
        await served.page.end()
    }

    @Test("is let in by nothing else: no code, an old one, a foreign host or page")
    func strangers() async throws {
        let served = try await serve()
        let old = try await offer()
        let cookie = try await pair(served)
        for code in [old.code, old.secret, "", "0000-0000", String(old.secret.reversed())] {
            let reply = try await redeem(code, at: served.address)
            #expect(reply.status == 403 && !reply.text.contains("Set-Cookie"), "\(reply.text)")
        }
        let api = served.address + "/api/status"
        let command = ["--json", #"{"command":"pause"}"#, served.address + "/api/commands"]
        let evil = "http://evil.example"
        let tries: [([String], Int)] = [
            ([api], 401), ([served.address + "/api/events"], 401), (command, 401),
            ([served.address + "/app.js"], 401), ([served.address + "/tiles/1/1/1"], 401),
            (["--json", "{}", served.address + "/health"], 401),
            (["-H", "Authorization: Bearer \(served.page.token)", api], 401),
            (["-H", "\(cookie)x", api], 401), (["-H", cookie, api], 200),
            ([served.address + "/?token=\(served.page.token)"], 404),
            (["-H", cookie, served.address + "/api/phones"], 404),
            (["-H", cookie, "--json", "{}", served.address + "/api/phones/code"], 404),
            (["-H", cookie, "-H", "Host: 127.0.0.1", api], 403),
            (["-H", cookie, "-H", "Origin: \(evil)"] + command, 403),
            (["-H", cookie, "-H", "Sec-Fetch-Site: same-site", api], 403),
            (["-H", cookie, "-H", "Content-Type: text/plain", "-d", "{}", command[2]], 415),
        ]
        for (arguments, status) in tries {
            let end = try await network.start(["--include"] + arguments).end
            #expect(end.text.hasPrefix("HTTP/1.1 \(status) "), "\(arguments): \(end.text)")
        }
        // The phone's secret is for the network, and loopback is out of its reach.
        let port = served.page.port
        let here = "GET /api/status HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\n\(cookie)\r\n\r\n"
        #expect(try await Peer.send(Array(here.utf8), to: port).status == 401)
        let there = try await network.start([served.own + "/"]).end
        #expect(there.status == 7 && there.output.isEmpty, "It reaches loopback.")
        await served.page.end()
        let over = try await network.start(["-H", cookie, api]).end
        #expect(over.output.isEmpty)
    }

    @Test("sees no more of the walk once it is revoked, not even on a stream that is open")
    func revoked() async throws {
        let served = try await serve()
        let cookie = try await pair(served)
        let stream = try network.start(["-N", "-H", cookie, served.address + "/api/events"])
        try await stream.line { $0.contains("event: scene") }
        try await bench.expect("serve", "devices", "revoke", "Phone")
        try await bench.expect("record", "--simulate", "--for", "2s", "--json")
        let seen = await stream.end.text
        #expect(!seen.contains("event: log"), "\(seen)")
        let refused = try await network.ask("-H", cookie, served.address + "/api/status")
        #expect(refused.status == 401 && refused.text.contains("notPaired"))
        let page = try await network.ask("-H", cookie, served.address + "/")
        #expect(page.text.contains("Pair this phone"))
        try await bench.expect("serve", "devices", "revoke", "Phone", status: 66)
        try await bench.expect("serve", "devices", "revoke", "--all", says: "No phone is let in.")
        try await bench.expect("serve", "devices", "revoke", status: 64, says: "--all")
        await served.page.end()
    }

    @Test(
        "of its owner is let in during a flood of wrong codes, and the recorder misses nothing",
        .slow)
    func flood() async throws {
        let recorder = try bench.start(["record", "--simulate", "--json"])
        try await recorder.event("sessionStarted")
        let served = try await serve()
        let offer = try await offer()
        let floods = try (0..<4).map { _ in
            try network.start([
                "--json", #"{"code":"00000000"}"#, "--write-out", "status %{http_code}\\n",
                "--output", "/dev/null", served.address + "/api/pair?[1-150]",
            ])
        }
        for flood in floods { try await flood.line { $0 == "status 429" } }
        #expect(try await redeem(offer.code, at: served.address).status == 429)
        #expect(try await redeem(offer.secret, at: served.address).status == 200)
        var statuses: [String: Int] = [:]
        for flood in floods {
            for line in await flood.end.lines { statuses[line, default: 0] += 1 }
        }
        #expect(statuses["status 403"] == 5 && statuses["status 429"] == 595, "\(statuses)")
        try await recorder.line { $0.contains("characteristicNotified") }
        await recorder.finish()
        let log = try await bench.run("log", "cat", "--json").text
        #expect(!log.contains("intakeOverflowed"))
        await served.page.end()
    }

    @Test("is never waited for unasked, nor at all addresses, nor at another machine's")
    func addresses() async throws {
        for (address, status) in [
            ("0.0.0.0", 64), ("::", 64), ("127.0.0.1", 64), ("::1", 64), ("0", 64), ("", 64),
            ("phone.local", 64), ("\(network.address):80", 64), ("192.0.2.77", 69),
        ] {
            // A walk is recorded all the same where the network is not there.
            for command in status == 69 ? ["serve"] : ["serve", "record"] {
                let more = command == "record" ? ["--serve", "--simulate"] : ["--port", "0"]
                let end = try await bench.start([command, "--listen", address] + more).end
                #expect(end.status == Int32(status), "\(command) at \(address): \(end.messages)")
                #expect(end.messages.contains("Name one with --listen"), "\(end.messages)")
                #expect(end.messages.contains(network.address))
            }
        }
        try await bench.expect(
            "record", "--serve", "--simulate", "--for", "1s", "--port", "0", "--listen",
            "192.0.2.77", warns: "It is shown on this machine only.")
        try await bench.expect("record", "--listen", network.address, status: 64)
        try await bench.expect("serve", "pair", status: 69, says: "--listen")
        let page = try await ServedPage(bench)
        let there = "http://\(network.address):\(page.port)/"
        #expect(try await network.start([there]).end.status == 7)
        await page.end()
    }
}
