import Clocks
import Deciding
import EventStore
import Events
import Foundation
import Projections
import Recording
import TestSupport
import Testing
import WalkService

@testable import Web

/// What a page lays out: it comes ready from the server.
@Suite("What pages show of walks", .timeLimit(.minutes(5)))
struct WalkViewTests {
    private func view(_ path: String, _ bench: Bench) async throws -> [String: Any] {
        try #require(try await bench.object(path)["view"] as? [String: Any])
    }

    @Test("are goals as they are typed, and what is next to them")
    func goals() async throws {
        try await Bench.serving { bench in
            for (query, target) in [
                ("kind=distance&typed=5%2C5", 5_500_000), ("kind=distance&typed=5.5", 5_500_000),
                ("kind=steps&target=6500", 6_500), ("kind=steps&typed=", 6_000),
                ("kind=steps&typed=6%2C%20500", 6_500), ("kind=duration", 3_600_000),
            ] {
                let goal = try await bench.object("/api/goal?\(query)")
                #expect(goal["target"] as? Int == target, "\(query)")
            }
            _ = try await bench.object("/api/goal?kind=daily", status: 422)
            let refused = try await bench.get("/api/goal?kind=duration&typed=1%3A60")
            #expect(refused.status == 422 && refused.body.contains("Enter hours and minutes"))
            _ = try await bench.object("/api/goal?kind=steps&target=x", status: 400)
            #expect(try await bench.object("/api/tables")["goals"] is [Any])
        }
    }

    @Test("are a walk's figures, and nothing where nothing was counted")
    func walk() async throws {
        try await Bench.serving { bench in
            try await bench.record([.start(), .mark("the bridge"), .end()])
            let year = try await view("/api/year", bench)
            #expect(year["title"] as? String == "2026")
            let group = try #require((year["groups"] as? [[String: Any]])?.first)
            let row = try #require((group["rows"] as? [[String: Any]])?.first)
            #expect(row["title"] as? String == "Sun 1 Mar, 09:00")
            #expect((row["more"] as? [String: String])?["value"] == "")
            #expect(row["notes"] as? [String] == ["no position"])
            #expect(row["meta"] as? String == "0:00, no\u{A0}heart\u{A0}rate")
            let none = try await view("/api/year?year=2026&text=lake&longer=2,5&tag=dog", bench)
            #expect((none["groups"] as? [Any])?.isEmpty == true)
            #expect(try await view("/api/years", bench)["title"] as? String == "All years")
            let position = try #require(row["position"] as? Int)
            let walk = try await view("/api/sessions/\(position)", bench)
            #expect(walk["title"] as? String == "Sunday 1 March 2026, 09:00")
            #expect(walk["end"] as? String == "Ended 09:00.")
            let figures = try #require(walk["figures"] as? [[String: String]])
            let shown = figures.map { "\($0["value"] ?? "") \($0["unit"] ?? "")" }
            #expect(shown == ["0:00 ", "0:00 "])
            #expect(walk["heart"] == nil && walk["absent"] is String)
            let mark = try #require((walk["marks"] as? [[String: Any]])?.first)
            #expect(mark["name"] as? String == "Mark 1" && mark["text"] as? String == "the bridge")
        }
    }

    @Test("are in the walker's units, with what is typed there")
    func miles() async throws {
        try await Bench.serving { bench in
            let typed = try await bench.object("/api/goal?kind=distance&typed=3&units=miles")
            #expect(typed["target"] as? Int == 4_828_032 && typed["unit"] as? String == "miles")
            let tables = try await bench.object("/api/tables?units=miles")
            #expect(tables["units"] as? String == "miles")
            let list = #"["distances=miles","height=5ft11in"]"#
            let settings = #"{"command":"profile","settings":\#(list)}"#
            #expect(try await bench.command(settings).status == 200)
            let wrong = #"{"command":"profile","settings":["weight=75kg","height=18cm"]}"#
            let refused = try await bench.command(wrong)
            #expect(refused.status == 422 && refused.text.contains("Did you mean 180 cm?"))
            let cards = try await view("/api/profile", bench)["cards"] as? [[String: Any]]
            let fields = try #require(cards?.first?["fields"] as? [[String: Any]])
            #expect(fields[0]["kept"] as? String == "Until then 5 ft 11 in counts.")
            #expect(fields[1]["kept"] as? String == "")
            let year = try await view("/api/year?year=2026&longer=3&units=miles", bench)
            let chips = (year["search"] as? [String: Any])?["chips"] as? [[String: String]]
            #expect(chips?.first?["text"] == "3 miles or longer")
        }
    }

    @Test("are a day, today's by that name, and the way from a day without one")
    func days() async throws {
        try await Bench.serving { bench in
            let empty = try await bench.object("/api/days/today", status: 404)
            let head = try #require(empty["view"] as? [String: Any])
            #expect(head["title"] as? String == "Sunday 1 March 2026")
            #expect(head["before"] as? String == "2026-02-28" && head["after"] is NSNull)
            #expect((empty["error"] as? [String: Any])?["code"] as? String == "noSuchDay")
            try await bench.record([.start(), .end()])
            let walked = try await view("/api/days/today", bench)
            #expect(walked["count"] is NSNull && walked["certificate"] == nil)
            #expect(try await bench.object("/api/days/today")["certificate"] == nil)
            #expect(walked["sentence"] as? String == "No steps counted on this day.")
            let walk = try #require((walked["walks"] as? [[String: Any]])?.first)
            #expect(walk["title"] as? String == "Sun 1 Mar, 09:00")
            _ = try await bench.post(#"{"date":"2026-03-01","steps":8123}"#)
            let day = try await view("/api/days/today", bench)
            #expect((day["walks"] as? [Any])?.count == 1)
            #expect(day["count"] as? String == "8,123" && day["isToday"] as? Bool == true)
            let certificate = try #require(day["certificate"] as? [String: Any])
            #expect(certificate["title"] as? String == "Never fell")
            let row = try #require((day["rows"] as? [[String: Any]])?.first)
            #expect(row["time"] as? String == "09:00" && row["moved"] as? String == "+8,123")
            let chart = try #require(day["chart"] as? [String: Any])
            let points = try #require(chart["points"] as? [[String: Any]])
            #expect(points.contains { $0["text"] as? String == "09:00, 8,123 steps" })
        }
    }

    @Test("are the latest steps of a day that has very many, and where the others are")
    func longDay() async throws {
        try await Bench.serving { bench in
            let date = try #require(CivilDate("2026-03-01"))
            try await bench.record(
                (0..<700).map { .correct(date: date, by: $0 % 2 * 2 - 1, reason: "r", author: "a") }
            )
            let day = try await view("/api/days/2026-03-01", bench)
            #expect((day["rows"] as? [Any])?.count == 600)
            #expect(day["more"] as? String == "Show the other 540")
            let others = try #require(day["others"] as? String)
            #expect(others.contains("more changes: `pulselog audit steps --day 2026-03-01`"))
        }
    }

    @Test("are so many days of the calendar, those without data between them")
    func lastDays() async throws {
        try await Bench.serving { bench in
            for date in ["2026-02-27", "2026-03-01"] {
                let reply = try await bench.post(#"{"date":"\#(date)","steps":8123}"#)
                #expect(reply.status == 200, "\(reply.text)")
            }
            for (count, shown) in [(1, 1), (2, 2), (3, 3), (7, 3)] {
                let body = try await bench.object("/api/days?count=\(count)")
                let told = try #require(body["days"] as? [[String: Any]]).map {
                    $0["displayed"] as? Int
                }
                #expect(told == Array([8_123, nil, 8_123].prefix(shown)), "\(count)")
            }
        }
    }

    @Test("are places in the log that somebody has typed")
    func places() async throws {
        try await Bench.serving { bench in
            try await bench.record([.start(), .mark("a"), .mark("b")])
            let head = Int(try bench.log.next) - 1
            for (text, position) in [
                ("1", 1), ("%31", 1), ("1,000,000", head), ("9:00", 0), ("09:00:00", 0),
                ("09%3A00%3A01", head), ("08:59", 0), ("2026-02-28", 0), ("2026-03-01", 0),
                ("2026-03-02", head), ("2026-03-01%2009:00:01", head), ("2026-03-01T08:59", 0),
            ] {
                let found = try await bench.object("/api/log?find=\(text)&near=\(head)")
                #expect(found["position"] as? Int == position, "\(text)")
            }
            for text in [
                "", "noon", "25:00", "-1", "1e3", "99999999999999999999", "2026-02-30",
                "2026-03-01%2025:00", "9:00%209:00", "2026-03-01%202026-03-01",
            ] {
                _ = try await bench.object("/api/log?find=\(text)&near=0", status: 422)
            }
            for near in ["\(head + 1)", "\(UInt64.max)"] {
                _ = try await bench.object("/api/log?find=9:00&near=\(near)", status: 422)
            }
            let nine = 1_772_355_600_000
            for (moment, position) in [(nine - 1, 0), (nine, head), (nine + 86_400_000, head)] {
                let found = try await bench.object("/api/log?moment=\(moment)&near=\(head)")
                #expect(found["position"] as? Int == position)
            }
            _ = try await bench.object("/api/log?moment=\(UInt64.max)")
            _ = try await bench.object("/api/log?moment=-1", status: 400)
            let axis = try #require(try await view("/api/log", bench)["axis"] as? [String: Any])
            #expect((axis["labels"] as? [String])?.first == "1 Mar, 09:00")
            #expect((axis["density"] as? [Int])?.isEmpty == true, "fewer events than bars")
            try await bench.record(Array(repeating: .refresh(.manual), count: 120) + [.mark("c")])
            let long = try await view("/api/log", bench)["axis"] as? [String: Any]
            let bars = long?["density"] as? [Int]
            #expect(bars?.count == 96 && bars?.allSatisfy((0...100).contains) == true)
            let end = Int(try bench.log.next) - 1
            for (at, since, words) in [
                (end, end - 2, "1 event lies between: 1 step reconciliation."),
                (end - 2, end - 2, nil), (1, end - 1, nil), (end, end - 1, nil),
            ] {
                let view = try await self.view("/api/log?at=\(at)&since=\(since)", bench)
                let lie = max(abs(at - since) - 1, 0)
                let sentence = try #require(view["between"] as? String)
                #expect(sentence == words ?? sentence)
                #expect(sentence.hasPrefix(lie == 0 ? "No other event" : "\(lie) event"))
            }
            #expect(try await self.view("/api/log?at=1", bench)["between"] as? String == nil)
            _ = try await bench.object("/api/log?at=1&since=\(end + 1)", status: 404)
            for (near, counts) in [
                ("\(head)", [4, 4, 8]), ("0", [4, 4, 5]), ("\(UInt64.max)", [4, 5, 5]),
            ] {
                for (show, count) in zip(["walks", "days", "all"], counts) {
                    let rows = try await bench.object("/api/log?around=\(near)&show=\(show)")
                    let lines = try #require(rows["view"] as? [[String: Any]]).map {
                        $0["line"] as? String ?? ""
                    }
                    #expect(lines.count == count, "\(near) \(show) \(lines)")
                    let isOldest = lines.last?.hasPrefix("The walk begins") == true
                    #expect(show != "walks" || isOldest, "\(lines)")
                }
            }
            _ = try await bench.object("/api/log?around=1&show=no", status: 400)
            let day = try await self.view("/api/log?at=1", bench)["axis"] as? [String: Any]
            #expect(day?["name"] as? String == "1 March 2026")
            #expect(day?["note"] as? String == "height: events in 15 minutes")
            #expect((day?["density"] as? [Int])?.filter { $0 > 0 } == [100])
        }
    }

    // MARK: - What is said

    @Test("are what a walker has said of a walk, and nothing of a walk that there is not")
    func described() async throws {
        try await Bench.serving { bench in
            try await bench.record([.start(), .end()])
            let walk = try await bench.firstWalk
            for (said, count) in [
                (#""name":"Park loop","tags":["dog"],"sport":"run""#, 1),
                (#""name":"Park loop""#, 0), (#""listing":"hidden","tags":["dog","park"]"#, 1),
            ] {
                let body = #"{"command":"describe","session":\#(walk),\#(said)}"#
                let reply = try await bench.command(body)
                #expect(reply.status == 200, "\(reply.text)")
                #expect(reply.body.contains(#""events":\#(count)"#))
            }
            let whole = try await bench.object("/api/sessions/\(walk)")
            #expect(whole["name"] as? String == "Park loop" && whole["sport"] as? String == "run")
            #expect(whole["tags"] as? [String] == ["dog", "park"])
            #expect(whole["hidden"] as? Bool == true && whole["note"] is NSNull)
            let other = try await bench.command(
                #"{"command":"describe","session":99,"name":"a"}"#)
            #expect(other.status == 409 && other.body.contains("There is no such walk"))
        }
    }

    @Test("are a walk's name and the words for what is said of it, also in the answer")
    func head() async throws {
        try await Bench.serving { bench in
            try await bench.record([.start(), .end()])
            let walk = try await bench.firstWalk
            let said = #""name":"Round\u202E the lake","tags":["dog"],"sport":"hike""#
            let body = #"{"command":"describe","session":\#(walk),\#(said),"listing":"hidden"}"#
            let told = try await bench.command(body).object
            let head = try #require(told["view"] as? [String: Any])
            let view = try await view("/api/sessions/\(walk)", bench)
            for key in ["title", "end"] { #expect(head[key] as? String == view[key] as? String) }
            #expect(head["title"] as? String == #"Round\u{202e} the lake"#)
            #expect(head["end"] as? String == "Sunday 1 March 2026, 09:00 to 09:00.")
            let kept = try #require(head["kept"] as? [String: Any])
            let name = try #require(kept["name"] as? [String: String])
            #expect(name["value"] == "Round\u{202E} the lake")
            #expect((kept["tags"] as? [[String: String]])?.map { $0["text"] } == ["dog"])
            #expect((kept["hidden"] as? String)?.hasPrefix("You hid this walk.") == true)
            let sports = try #require(kept["sports"] as? [[String: String]])
            let names = ["Walk", "Hike", "Run", "Treadmill", "Ride", "Swim", "Other"]
            #expect(sports.map { $0["name"] } == names)
            #expect(kept["sport"] as? String == "hike")
        }
    }

    // MARK: - The track

    /// What a page is sent of a track: messages of the stream's kind `track`.
    private func fields(_ message: [UInt8]) throws -> [String: Any] {
        let text = String(decoding: message, as: UTF8.self)
        #expect(text.hasPrefix("event: track\ndata: {") && text.hasSuffix("}\n\n"))
        let data = Data(text.dropFirst(19).utf8)
        return try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
    }

    private func fix(_ second: UInt64, accuracyMillimetres: UInt64 = 3_000) -> Command {
        .record(
            .positionFixed(
                PositionFixed(
                    latitudeE7: 525_000_000 + Int64(second) * 100, longitudeE7: 134_000_000,
                    accuracyMillimetres: accuracyMillimetres)))
    }

    @Test("are the fixes that count, once and then what is new; marks wait for a place")
    func track() async throws {
        let log = InMemoryEventLog()
        let machine = Machine(bootID: [UInt8](repeating: 7, count: 16)) { _ in (330, "") }
        let appender = Appender(log, machine: machine)
        var second: UInt64 = 0
        func now() -> Arrival {
            Arrival(
                bootMilliseconds: 1_000_000 + second * 1_000,
                wallMilliseconds: 1_772_355_600_000 + Int64(second) * 1_000, isWallTrusted: true)
        }
        func record(_ command: Command) async throws {
            second += 1
            _ = try await appender.record([Input(command, at: now())])
        }
        let track = WalkTrack(
            try await WalkService(FollowedStore(walks: log), machine: machine))
        func messages(after sent: inout WalkTrack.Sent) async throws -> [[UInt8]] {
            let state = await appender.state
            let scene = Scene(
                replaying: state, session: state.own.sessions.open?.position,
                at: now().moment(bootNumber: 0, isSimulated: false), events: [])
            return try await track.messages(scene, after: &sent)
        }
        var sent = WalkTrack.Sent()
        #expect(try await messages(after: &sent).isEmpty)
        try await record(.start())
        try await record(.mark("before the first fix"))
        let begin = try await messages(after: &sent)
        #expect(begin.count == 1)
        #expect(try fields(begin[0])["marks"] as? [String] == [])
        for _ in 0..<3 { try await record(fix(second)) }
        try await record(fix(second, accuracyMillimetres: 90_000))
        let first = try fields(try #require(try await messages(after: &sent).first))
        #expect(first["from"] as? Int == 0)
        let points = try #require(first["points"] as? [[String: Any]])
        #expect(points.count == 3 && points[0]["start"] as? Bool == true)
        #expect(points[1]["start"] == nil)
        let marks = try #require(first["marks"] as? [[String: Any]])
        #expect(marks.map { $0["text"] as? String } == ["before the first fix"])
        #expect(try await messages(after: &sent).isEmpty)
        try await record(fix(second))
        let next = try fields(try #require(try await messages(after: &sent).first))
        #expect(next["from"] as? Int == 3 && (next["points"] as? [Any])?.count == 1)
        // Another page has all of it, from the same fold.
        var others = WalkTrack.Sent()
        let whole = try fields(try #require(try await messages(after: &others).first))
        #expect((whole["points"] as? [Any])?.count == 4)
        try await record(.end())
        #expect(try await messages(after: &sent).isEmpty)
    }

    @Test("are scenes of less than 16 KB")
    func size() async throws {
        try await Bench.serving { bench in
            try await bench.record([.start(goal: Goal(kind: .steps, target: 6_000))])
            let connection = try Peer.Connection(to: bench.listener.port)
            connection.send(bench.head("GET /api/events"))
            var text = ""
            while !text.contains("event: track") {
                let part = await connection.receive()
                try #require(!part.isEmpty)
                text += String(decoding: part, as: UTF8.self)
            }
            let scene = try #require(
                text.split(separator: "\n").first { $0.hasPrefix("data: {\"head\"") })
            #expect(
                scene.contains(#""view":{"#) && scene.utf8.count < 16_384, "\(scene.utf8.count)")
            #expect(scene.contains(#""left":"not measured""#))
        }
    }
}
