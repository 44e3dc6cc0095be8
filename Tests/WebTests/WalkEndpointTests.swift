import EventStore
import Events
import Foundation
import Projections
import Recording
import Synchronization
import TestSupport
import Testing
import WalkService

@testable import Web

@Suite("What is told of walks by HTTP", .timeLimit(.minutes(5)))
struct WalkEndpointTests {
    private func get(_ path: String, _ bench: Bench, token: String? = nil) async throws -> Reply {
        try await bench.send(Self.head("GET \(path)", bench, token: token))
    }

    private func post(_ body: String, _ bench: Bench) async throws -> Reply {
        try await bench.send(
            Request(bench.token, body).with(line: "POST /api/commands HTTP/1.1").bytes)
    }

    private static func head(
        _ line: String, _ bench: Bench, token: String? = nil, _ fields: String = ""
    ) -> [UInt8] {
        let token = token ?? bench.token.text
        return Array(
            """
            \(line) HTTP/1.1\r
            Host: 127.0.0.1\r
            Authorization: Bearer \(token)\r
            \(fields)\r

            """.utf8)
    }

    private func fields(_ reply: Reply) throws -> [String: Any] {
        let value = try JSONSerialization.jsonObject(with: Data(reply.body.utf8))
        return try #require(value as? [String: Any])
    }

    @Test("is how the recorder is, for programs that watch over it, and the heart rate if asked")
    func metrics() async throws {
        try await Bench.serving { bench in
            let strap = Story.strap
            try await bench.record([
                .start(), .record(.linkUp(LinkUp(device: strap))),
                .record(
                    .characteristicNotified(CharacteristicNotified(device: strap, value: [0, 96]))),
            ])
            let reply = try await get("/metrics", bench)
            #expect(reply.status == 200)
            #expect(reply.text.contains("application/openmetrics-text; version=1.0.0"))
            #expect(reply.body.hasSuffix("\n# EOF\n"))
            #expect(reply.body.contains("\npulselog_session_open 1\n"))
            #expect(!reply.body.contains("heart_rate"))
            #expect(try await get("/metrics?bpm=0", bench).body == reply.body)
            let withRate = try await get("/metrics?bpm=1", bench).body
            #expect(withRate.contains("\npulselog_heart_rate_bpm 96\n"))
            #expect(try await get("/metrics", bench, token: "x").status == 401)
            let token = bench.metricsToken.text
            #expect(try await get("/metrics", bench, token: token).body == reply.body)
            #expect(try await get("/api/status", bench, token: token).status == 401)
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

    @Test("is how things stand, the sessions, the days and the devices")
    func tells() async throws {
        try await Bench.serving { bench in
            try await bench.record([.start(), .mark("the bridge"), .end()])
            _ = try await bench.post(#"{"date":"2026-03-01","steps":8123}"#)
            let status = try fields(try await get("/api/status", bench))
            #expect((status["steps"] as? [String: Any])?["today"] as? Int == 8_123)
            #expect(status["session"] is NSNull)
            let sessions = try fields(try await get("/api/sessions", bench))["sessions"]
            let session = try #require((sessions as? [[String: Any]])?.first)
            let position = try #require(session["position"] as? Int)
            let whole = try fields(try await get("/api/sessions/\(position)", bench))
            #expect(whole["state"] as? String == "ended")
            #expect((whole["samples"] as? [Any])?.isEmpty == true)
            let days = try fields(try await get("/api/days?count=3", bench))["days"]
            #expect((days as? [[String: Any]])?.first?["displayed"] as? Int == 8_123)
            let day = try fields(try await get("/api/days/2026-03-01", bench))
            #expect(day["displayed"] as? Int == 8_123)
            let devices = try fields(try await get("/api/devices", bench))["devices"]
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
            ("/api/year?sport=swim", 422), ("/api/year?source=me", 422),
            ("/api/log?find=%zz", 400), ("/api/log?find=%FF", 400),
        ])
    func refuses(_ path: String, _ status: Int) async throws {
        try await Bench.serving { bench in
            let reply = try await get(path, bench)
            #expect(reply.status == status, "\(reply.text)")
            #expect(reply.body.hasPrefix(#"{"error":{"code":""#))
        }
    }

    @Test("is a walk as a file with its type and its name, or the reason why it cannot be one")
    func file() async throws {
        try await Bench.serving { bench in
            try await bench.record([.start(), .mark("=the bridge"), .end()])
            let list = try fields(try await get("/api/sessions", bench))["sessions"]
            let walk = try #require((list as? [[String: Any]])?.first?["position"] as? Int)
            let path = "/api/sessions/\(walk)/file?format="
            for (format, type, name) in [
                ("tcx", "application/vnd.garmin.tcx+xml", "2026-03-01-0900-walk.tcx"),
                (
                    "csv&rows=samples", "text/csv; charset=utf-8; header=present",
                    "2026-03-01-0900-walk.csv"
                ),
            ] {
                let reply = try await get(path + format, bench)
                #expect(reply.status == 200 && reply.text.contains("Content-Type: \(type)\r\n"))
                let disposition = "Content-Disposition: attachment; filename=\"\(name)\"\r\n"
                #expect(reply.text.contains(disposition), "\(reply.text)")
            }
            #expect(try await get(path + "csv", bench).body.contains(",'=the bridge\r\n"))
            for format in ["gpx", "rr", "gaps"] {
                let reply = try await get(path + format, bench)
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
                    let reply = try await get(path, bench)
                    #expect(reply.status == status, "\(path)")
                }
            }
        }
    }

    @Test("is the log, by positions, and how things stood then")
    func log() async throws {
        try await Bench.serving { bench in
            #expect(try fields(try await get("/api/log", bench))["head"] is NSNull)
            try await bench.record([.start(), .mark("the bridge"), .pause])
            let head = try #require(
                try fields(try await get("/api/log", bench))["head"] as? Int)
            #expect(Position(head) + 1 == (try bench.log.next))
            let all = try fields(try await get("/api/log?from=0", bench))["events"]
            #expect(
                (all as? [[String: Any]])?.compactMap { $0["position"] as? Int }
                    == Array(0...head))
            let some = try fields(try await get("/api/log?from=1&count=1", bench))["events"]
            #expect((some as? [[String: Any]])?.count == 1)
            let none = try fields(try await get("/api/log?from=\(UInt64.max)", bench))["events"]
            #expect((none as? [Any])?.isEmpty == true)
            let then = try fields(try await get("/api/log?at=\(head - 1)", bench))
            #expect((then["event"] as? [String: Any])?["position"] as? Int == head - 1)
            #expect((then["session"] as? [String: Any])?["state"] as? String == "running")
            let now = try fields(try await get("/api/log?at=\(head)", bench))
            #expect((now["session"] as? [String: Any])?["state"] as? String == "paused")
            for beyond in ["\(head + 1)", "\(head + 2)", "1000000", "\(UInt64.max)"] {
                let refused = try await get("/api/log?at=\(beyond)", bench)
                #expect(refused.status == 404)
            }
            for wrong in ["at=-1", "at=", "from=0&count=0", "from=0&count=501", "from=x"] {
                let refused = try await get("/api/log?\(wrong)", bench)
                #expect(refused.status == 400, "\(wrong)")
            }
        }
    }

    @Test("is a day with its staircase and its certificate")
    func day() async throws {
        try await Bench.serving { bench in
            _ = try await bench.post(#"{"date":"2026-03-01","steps":8123}"#)
            let day = try fields(try await get("/api/days/2026-03-01", bench))
            let changes = try #require(day["changes"] as? [[String: Any]])
            #expect(changes.last?["after"] as? Int == 8_123)
            #expect((day["certificate"] as? [String: Any])?["holds"] as? Bool == true)
        }
    }

    @Test("is refused to who asks for what comes after the last position there can be")
    func lastPosition() async throws {
        try await Bench.serving { bench in
            let reply = try await bench.send(
                Self.head("GET /api/events", bench, "Last-Event-ID: \(UInt64.max)\r\n"))
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
                let unknown = try await get(path, bench, token: "x")
                #expect(unknown.status == 401)
                let foreign = try await bench.send(
                    Self.head("GET \(path)", bench, "Origin: http://evil.example\r\n"))
                #expect(foreign.status == 403)
            }
        }
    }

    @Test("takes commands, and says why one makes no sense")
    func commands() async throws {
        try await Bench.serving { bench in
            #expect(try await post(#"{"command":"pause"}"#, bench).status == 409)
            try await bench.record([.start()])
            #expect(try await post(#"{"command":"pause"}"#, bench).status == 200)
            let again = try await post(#"{"command":"pause"}"#, bench)
            #expect(again.status == 409)
            #expect(again.body.contains("already paused"))
            #expect(try await post(#"{"command":"resume"}"#, bench).status == 200)
            #expect(try await post(#"{"command":"mark","text":"a"}"#, bench).status == 200)
            let long = String(repeating: "x", count: 600)
            #expect(try await post(#"{"command":"mark","text":"\#(long)"}"#, bench).status == 409)
            #expect(try await post(#"{"command":"finish"}"#, bench).status == 200)
            for body in [#"{"command":"fly"}"#, "{}", "[]", #"{"command":"mark","text":1}"#] {
                #expect(try await post(body, bench).status == 422, "\(body)")
            }
            #expect(try await post("{", bench).status == 400)
        }
    }

    /// Listens until enough has come, at the end of a message.
    private func listen(
        _ bench: Bench, _ line: String = "GET /api/events", after: Int? = nil,
        until isEnough: (String) -> Bool
    ) async throws -> String {
        let connection = try Peer.Connection(to: bench.listener.port)
        let field = after.map { "Last-Event-ID: \($0)\r\n" } ?? ""
        connection.send(Self.head(line, bench, field))
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
            async let live = listen(bench, after: head - 1) { $0.contains("id: \(head + 2)\n") }
            try await bench.record([.mark("new"), .mark("newer")])
            let heard = positions(try await live)
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
        listener.send(Self.head("GET /api/events", bench))
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
            deaf.send(Self.head("GET /api/events?from=0", bench))
            // More than the system keeps for him: 12 MB.
            let text = String(repeating: "x", count: 500)
            for _ in 0..<30 {
                try await bench.record((0..<500).map { _ in .mark(text) })
                #expect(try await get("/api/status", bench).status == 200)
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
