import EventStore
import Events
import Foundation
import Projections
import TestSupport
import Testing
import WalkService

@testable import Web

@Suite("What is told of walks by HTTP", .timeLimit(.minutes(5)))
struct WalkEndpointTests {
    @Test("is how the recorder is, for programs that watch over it, and the heart rate if asked")
    func metrics() async throws {
        try await Bench.serving { bench in
            try await bench.record([
                .start(), .record(.linkUp(LinkUp(device: Story.strap))),
                .record(.notified(Story.strap, [0, 96])),
            ])
            let reply = try await bench.get("/metrics")
            #expect(reply.status == 200)
            #expect(reply.text.contains("application/openmetrics-text; version=1.0.0"))
            #expect(reply.body.hasSuffix("\n# EOF\n"))
            #expect(reply.body.contains("\npulselog_session_open 1\n"))
            #expect(!reply.body.contains("heart_rate"))
            #expect(try await bench.get("/metrics?bpm=0").body == reply.body)
            let withRate = try await bench.get("/metrics?bpm=1").body
            #expect(withRate.contains("\npulselog_heart_rate_bpm 96\n"))
            #expect(try await bench.get("/metrics", token: "x").status == 401)
            let token = bench.metricsToken.text
            #expect(try await bench.get("/metrics", token: token).body == reply.body)
            #expect(try await bench.get("/api/status", token: token).status == 401)
        }
    }

    @Test("writes commits as a histogram")
    func commits() async throws {
        var store = StoreFigures()
        var commits = CommitFigures()
        for microseconds in [0, 250, 251, 1_000_000, 5_000_001] {
            commits.durable.add(.microseconds(microseconds))
        }
        commits.waiting = 3
        store.commits = commits
        let service = try await WalkService(
            FollowedStore(walks: InMemoryEventLog()), machine: machine)
        let text = MetricsText(try await service.scene(), store, nil, withHeartRate: false).bytes
        let lines = String(decoding: text, as: UTF8.self).split(separator: "\n")
        let name = "pulselog_commit_seconds"
        for line in [
            #"\(name)_bucket{result="durable",le="0.00025"} 2"#,
            #"\(name)_bucket{result="durable",le="0.001"} 3"#,
            #"\(name)_bucket{result="durable",le="0.25"} 3"#,
            #"\(name)_bucket{result="durable",le="1.0"} 4"#,
            #"\(name)_bucket{result="durable",le="5.0"} 4"#,
            #"\(name)_bucket{result="durable",le="+Inf"} 5"#,
            #"\(name)_count{result="durable"} 5"#, #"\(name)_sum{result="durable"} 6.000502"#,
            #"\(name)_sum{result="failed"} 0.0"#, #"pulselog_queue_depth{queue="appends"} 3"#,
        ] {
            #expect(lines.contains { $0 == line.replacing("\\(name)", with: name) }, "\(line)")
        }
    }

    @Test("is how things stand, the sessions, the days with their certificates and the devices")
    func tells() async throws {
        try await Bench.serving { bench in
            try await bench.record([.start(), .mark("the bridge"), .end()])
            _ = try await bench.post(#"{"date":"2026-03-01","steps":8123}"#)
            let status = try await bench.object("/api/status")
            #expect((status["steps"] as? [String: Any])?["today"] as? Int == 8_123)
            #expect(status["session"] is NSNull)
            let whole = try await bench.object("/api/sessions/\(try await bench.firstWalk)")
            #expect(whole["state"] as? String == "ended")
            #expect((whole["samples"] as? [Any])?.isEmpty == true)
            let days = try await bench.object("/api/days?count=3")["days"]
            #expect((days as? [[String: Any]])?.first?["displayed"] as? Int == 8_123)
            let day = try await bench.object("/api/days/2026-03-01")
            #expect(day["displayed"] as? Int == 8_123)
            let changes = try #require(day["changes"] as? [[String: Any]])
            #expect(changes.last?["after"] as? Int == 8_123)
            #expect(changes.last?["reportedByKind"] as? String == "push")
            #expect((day["certificate"] as? [String: Any])?["holds"] as? Bool == true)
            let devices = try await bench.object("/api/devices")["devices"]
            #expect((devices as? [Any])?.isEmpty == true)
        }
    }

    @Test(
        "is refused where nothing is asked for that there is",
        arguments: [
            ("/api", 404), ("/api/", 404), ("/api/status/", 404), ("/api/nothing", 404),
            ("/api/sessions/99", 404), ("/api/sessions/-1", 400), ("/api/sessions/x", 400),
            ("/api/sessions/18446744073709551616", 400), ("/api/sessions/1/2", 404),
            ("/api/days/2026-02-30", 400), ("/api/days/2026-02-28", 404),
            ("/api/days?count=0", 400), ("/api/days?count=4001", 400), ("/api/commands", 405),
            ("/api/events?from=", 400), ("/api/events?from=1.5", 400), ("//api/status", 404),
            ("/api/events?from=18446744073709551616", 400), ("//", 404),
            ("/api/log?find=%", 400), ("/api/log?find=09%3", 400), ("/api/log?find=%+5", 400),
            ("/api/sessions/99/file?format=fit", 404), ("/api/sessions/99/file", 422),
            ("/api/sessions/99/file?format=pdf", 422),
            ("/api/sessions/99/file?format=csv&rows=all", 422),
            ("/api/year?year=0", 400), ("/api/year?year=10000", 400), ("/api/year?year=x", 400),
            ("/api/year?from=soon", 400), ("/api/year?longer=far", 422),
            ("/api/year?sport=sail", 422), ("/api/year?source=me", 422),
            ("/api/log?find=%zz", 400), ("/api/log?find=%FF", 400),
        ])
    func refuses(_ path: String, _ status: Int) async throws {
        try await Bench.serving { bench in
            let reply = try await bench.get(path)
            #expect(reply.status == status, "\(reply.text)")
            #expect(reply.body.hasPrefix(#"{"error":{"code":""#))
        }
    }

    @Test("is a walk as a file with its type and its name, or the reason why it cannot be one")
    func file() async throws {
        try await Bench.serving { bench in
            try await bench.record([.start(), .mark("=the bridge"), .end()])
            let path = "/api/sessions/\(try await bench.firstWalk)/file?format="
            for (format, type, name) in [
                ("tcx", "application/vnd.garmin.tcx+xml", "2026-03-01-0900-walk.tcx"),
                (
                    "csv&rows=samples", "text/csv; charset=utf-8; header=present",
                    "2026-03-01-0900-walk.csv"
                ),
            ] {
                let reply = try await bench.get(path + format)
                #expect(reply.status == 200 && reply.text.contains("Content-Type: \(type)\r\n"))
                let disposition = "Content-Disposition: attachment; filename=\"\(name)\"\r\n"
                #expect(reply.text.contains(disposition), "\(reply.text)")
            }
            #expect(try await bench.get(path + "csv").body.contains(",'=the bridge,,walk\r\n"))
            for format in ["gpx", "rr", "gaps"] {
                let reply = try await bench.get(path + format)
                #expect(reply.status == 422 && reply.body.contains("notInThisFormat"))
            }
        }
    }

    @Test("is no matter of a goal's names and numbers: these are told while the log cannot be read")
    func unreadableLog() async throws {
        var batch = EventBatch()
        let stamp = Stamp(bootMilliseconds: 1, wallMilliseconds: 1, bootNumber: 0)
        try batch.append(.recorderStarted(RecorderStarted()), stamp: stamp, flags: [])
        try batch.append(.positionFixed(PositionFixed()), stamp: stamp, flags: [])
        try await Bench.serving { bench in
            _ = try await bench.log.append(batch, expecting: 0)
            for isUnreadable in [false, true] {
                bench.read.put(isUnreadable ? .unreadable : .nothing)
                let paths = ["/api/tables", "/api/goal?kind=steps", "/api/status"]
                for (path, status) in zip(paths, [200, 200, isUnreadable ? 503 : 200]) {
                    let reply = try await bench.get(path)
                    #expect(reply.status == status, "\(path)")
                }
            }
        }
    }

    @Test("is the log, by positions, and how things stood then")
    func log() async throws {
        try await Bench.serving { bench in
            #expect(try await bench.object("/api/log")["head"] is NSNull)
            try await bench.record([.start(), .mark("the bridge"), .pause])
            let head = try #require(
                try await bench.object("/api/log")["head"] as? Int)
            #expect(Position(head) + 1 == (try bench.log.next))
            let all = try await bench.object("/api/log?from=0")["events"]
            #expect(
                (all as? [[String: Any]])?.compactMap { $0["position"] as? Int }
                    == Array(0...head))
            let some = try await bench.object("/api/log?from=1&count=1")["events"]
            #expect((some as? [[String: Any]])?.count == 1)
            let none = try await bench.object("/api/log?from=\(UInt64.max)")["events"]
            #expect((none as? [Any])?.isEmpty == true)
            let then = try await bench.object("/api/log?at=\(head - 1)")
            #expect((then["event"] as? [String: Any])?["position"] as? Int == head - 1)
            #expect((then["session"] as? [String: Any])?["state"] as? String == "running")
            let now = try await bench.object("/api/log?at=\(head)")
            #expect((now["session"] as? [String: Any])?["state"] as? String == "paused")
            for beyond in ["\(head + 1)", "\(head + 2)", "1000000", "\(UInt64.max)"] {
                let refused = try await bench.get("/api/log?at=\(beyond)")
                #expect(refused.status == 404)
            }
            for wrong in ["at=-1", "at=", "from=0&count=0", "from=0&count=501", "from=x"] {
                let refused = try await bench.get("/api/log?\(wrong)")
                #expect(refused.status == 400, "\(wrong)")
            }
        }
    }

    @Test("is refused to who asks for what comes after the last position there can be")
    func lastPosition() async throws {
        try await Bench.serving { bench in
            let reply = try await bench.send(
                bench.head("GET /api/events", "Last-Event-ID: \(UInt64.max)\r\n"))
            #expect(reply.status == 400)
            let text = try await listen(bench, "GET /api/events?from=\(UInt64.max)") {
                $0.contains("event: reset\n")
            }
            #expect(text.contains("event: reset\n"))
        }
    }

    @Test("is for nobody without the token, and for no other site")
    func strangers() async throws {
        try await Bench.serving { bench in
            for path in ["/api/status", "/api/events", "/api/sessions"] {
                let unknown = try await bench.get(path, token: "x")
                #expect(unknown.status == 401)
                let foreign = try await bench.send(
                    bench.head("GET \(path)", "Origin: http://evil.example\r\n"))
                #expect(foreign.status == 403)
            }
        }
    }

    @Test("takes commands, and says why one makes no sense")
    func commands() async throws {
        try await Bench.serving { bench in
            #expect(try await bench.command(#"{"command":"pause"}"#).status == 409)
            try await bench.record([.start()])
            #expect(try await bench.command(#"{"command":"pause"}"#).status == 200)
            let again = try await bench.command(#"{"command":"pause"}"#)
            #expect(again.status == 409)
            #expect(again.body.contains("already paused"))
            #expect(try await bench.command(#"{"command":"resume"}"#).status == 200)
            // As a terminal says it.
            let sentence = #""sentence":"Marked: the bridge""#
            let marked = try await bench.command(#"{"command":"mark","text":"the bridge"}"#)
            #expect(marked.status == 200 && marked.body.contains(sentence))
            let long = String(repeating: "x", count: 600)
            #expect(try await bench.command(#"{"command":"mark","text":"\#(long)"}"#).status == 409)
            bench.read.put(.unreadable)
            let blind = try await bench.command(#"{"command":"mark"}"#)
            #expect(blind.status == 200 && blind.body.contains(#""sentence":"Marked.""#))
            bench.read.put(.nothing)
            #expect(try await bench.command(#"{"command":"finish"}"#).status == 200)
            for body in [#"{"command":"fly"}"#, "{}", "[]", #"{"command":"mark","text":1}"#] {
                #expect(try await bench.command(body).status == 422, "\(body)")
            }
            #expect(try await bench.command("{").status == 400)
        }
    }

    /// Listens until enough has come, at the end of a message.
    private func listen(
        _ bench: Bench, _ line: String = "GET /api/events", after: Int? = nil,
        until isEnough: (String) -> Bool
    ) async throws -> String {
        let connection = try Peer.Connection(to: bench.listener.port)
        let field = after.map { "Last-Event-ID: \($0)\r\n" } ?? ""
        connection.send(bench.head(line, field))
        var text = ""
        while !(text.hasSuffix("\n\n\r\n") && isEnough(text)) {
            let part = await connection.receive()
            try #require(!part.isEmpty, "\(text)")
            text += String(decoding: part, as: UTF8.self)
        }
        return text
    }

    /// The positions of the events that were heard.
    private func positions(_ text: String) -> [Int] {
        text.split(whereSeparator: \.isNewline).compactMap { line in
            guard line.hasPrefix(#"data: {"position":"#) else { return nil }
            return Int(line.dropFirst(18).prefix { $0.isNumber })
        }
    }

    @Test("goes on after the last event that the listener has, without a gap or a repeat")
    func resumes() async throws {
        try await Bench.serving { bench in
            try await bench.record([.start()] + (0..<1_200).map { .mark("\($0)") })
            let head = Int(try bench.log.next) - 1
            let all = try await listen(bench, "GET /api/events?from=0") {
                $0.contains("id: \(head)\nevent: scene\ndata: {\"head\":")
            }
            #expect(positions(all) == Array(0...head))
            #expect(all.contains("Content-Type: text/event-stream"))
            async let own = listen(bench, after: head - 1) { $0.contains("id: \(head + 2)\n") }
            try await bench.record([.mark("new"), .mark("newer")])
            let heard = positions(try await own)
            #expect(heard == Array(head...head + 2))
        }
    }

    @Test("begins anew for a listener who knows more than the log holds")
    func otherLog() async throws {
        try await Bench.serving { bench in
            try await bench.record([.start()])
            let head = Int(try bench.log.next) - 1
            let reset = try await listen(bench, after: 1_000) { $0.contains("event: reset\n") }
            #expect(reset.contains("id: \(head)\nevent: reset\n"))
            #expect(positions(reset) == [])
            try await bench.record([.mark("new")])
            let heard = try await listen(bench, after: head) { $0.contains("id: \(head + 1)\n") }
            #expect(positions(heard) == [head + 1])
        }
    }

    /// Listens, and gives the connection with the first bytes of the answer.
    private func listener(_ bench: Bench) async throws -> (Peer.Connection, answer: String) {
        let listener = try Peer.Connection(to: bench.listener.port)
        listener.send(bench.head("GET /api/events"))
        return (listener, String(decoding: await listener.receive(), as: UTF8.self))
    }

    /// Listens until there is a place.
    private func waitForPlace(_ bench: Bench) async throws {
        while case let (_, answer) = try await listener(bench), !answer.hasPrefix("HTTP/1.1 200") {
            #expect(answer.hasPrefix("HTTP/1.1 503"))
        }
    }

    @Test("has so many listeners, and room again when they leave")
    func places() async throws {
        try await Bench.serving { bench in
            try await bench.record([.start()])
            var listeners: [Peer.Connection] = []
            for _ in 0..<StreamPlaces.limit {
                let (listener, answer) = try await listener(bench)
                #expect(answer.hasPrefix("HTTP/1.1 200"))
                listeners.append(listener)
            }
            let refused = try await listener(bench)
            #expect(refused.answer.hasPrefix("HTTP/1.1 503"))
            listeners.removeAll()
            try await waitForPlace(bench)
        }
    }

    @Test("waits for no listener who never reads, and lets him go")
    func deaf() async throws {
        var limits = WebServer.Limits()
        limits.answer = .seconds(1)
        try await Bench.serving(limits) { bench in
            try await bench.record([.start()])
            let deaf = try Peer.Connection(to: bench.listener.port)
            deaf.send(bench.head("GET /api/events?from=0"))
            // More than the system keeps for him: 12 MB.
            let text = String(repeating: "x", count: 500)
            for _ in 0..<30 {
                try await bench.record((0..<500).map { _ in .mark(text) })
                #expect(try await bench.get("/api/status").status == 200)
            }
            var others: [Peer.Connection] = []
            for _ in 1..<StreamPlaces.limit { others.append(try await listener(bench).0) }
            try await waitForPlace(bench)
            let head = try bench.log.next - 1
            var last: [UInt8] = []
            while case let part = await deaf.receive(), !part.isEmpty {
                last = Array((last + part).suffix(2_000))
            }
            #expect(!String(decoding: last, as: UTF8.self).contains("id: \(head)\n"))
            #expect(others.count == StreamPlaces.limit - 1)
        }
    }
}
