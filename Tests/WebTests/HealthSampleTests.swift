import Clocks
import EventStore
import Events
import TestSupport
import Testing

@Suite("Samples that are posted")
struct HealthSampleTests {
    /// A post of HC Webhook: records of a minute each, at a minute of 2026-03-01.
    private func post(_ records: [(minute: Int, steps: Int, source: String)]) -> String {
        let texts = records.map { minute, steps, source in
            let (hour, rest) = (minute / 60, minute % 60)
            func time(_ second: Int) -> String {
                return "2026-03-01T\(two(hour)):\(two(rest)):\(two(second))Z"
            }
            return """
                {"count":\(steps),"start_time":"\(time(0))","end_time":"\(time(59))",\
                "metadata":{"data_origin":"\(source)"}}
                """
        }
        return #"{"app_version":"1","steps":[\#(texts.joined(separator: ","))]}"#
    }

    private func samples(_ bench: Bench) throws -> Int {
        try bench.log.events(in: 0..<bench.log.next).count { $0.event.kind == .stepSampleObserved }
    }

    @Test("make totals with those that came before")
    func sums() async throws {
        try await Bench.serving { bench in
            let first = try await bench.post(post([(480, 80, "phone"), (480, 95, "watch")]))
            #expect(first.status == 200, "\(first.text)")
            #expect(first.body.contains(#""displayed":95}],"samples":2,"newSamples":2"#))
            let second = try await bench.post(post([(481, 100, "phone")]))
            #expect(second.body.contains(#""displayed":195}],"samples":1,"newSamples":1"#))
            #expect(try bench.totals() == [95, 195])
            #expect(try samples(bench) == 3)
        }
    }

    @Test("change nothing when they come again, in whole or in part")
    func repeated() async throws {
        try await Bench.serving { bench in
            let all = [(480, 80, "phone"), (480, 95, "watch"), (481, 100, "phone")]
            _ = try await bench.post(post(all))
            let head = try bench.log.next
            for part in [all, Array(all[..<1]), Array(all[1...]), all.reversed(), []] {
                let reply = try await bench.post(post(part))
                #expect(reply.status == 200)
                #expect(reply.body.contains(#""newSamples":0"#))
            }
            #expect(try bench.log.next == head)
        }
    }

    @Test("are independent: one that nobody walked is named, the others count, once")
    func independent() async throws {
        try await Bench.serving { bench in
            let body = post([(480, 60_000, "phone"), (481, 70, "phone")])
            for isNew in [true, false] {
                let reply = try await bench.post(body)
                #expect(reply.status == 200)
                let count = isNew ? 1 : 0
                #expect(
                    reply.body.contains(
                        #""samples":1,"newSamples":\#(count),"ignored":[{"date":null,"samples":1,"#
                            + #""reason":"tooFast","message":"Record 1 of steps is too fast: "#),
                    "\(reply.text)")
            }
            #expect(try bench.totals() == [70])
        }
    }

    @Test("count once, however many posts of them come at once")
    func contention() async throws {
        try await Bench.serving { bench in
            let body = post((0..<60).map { (480 + $0, 100, "phone") })
            try await withThrowingTaskGroup(of: Reply.self) { group in
                for _ in 0..<16 { group.addTask { try await bench.post(body) } }
                for try await reply in group { #expect(reply.status == 200, "\(reply.text)") }
            }
            #expect(try bench.totals() == [6_000])
            #expect(try samples(bench) == 60)
        }
    }

    @Test("of a day to come are not taken")
    func future() async throws {
        try await Bench.serving { bench in
            let late = post([(480, 80, "phone")]).replacing("2026-03-01", with: "2026-03-03")
            let reply = try await bench.post(late)
            #expect(reply.body.contains(#""days":[],"samples":1,"newSamples":0"#), "\(reply.text)")
            #expect(try bench.log.next == 0)
        }
    }

    @Test("are not judged before the clock is set: who sent them is to send them again")
    func clockNotSet() async throws {
        let start = Arrival(bootMilliseconds: 1_000, wallMilliseconds: 5_000)
        try await Bench.serving(at: start) { bench in
            for body in [
                post([(480, 80, "phone")]), #"{"date":"2026-03-01","steps":8123}"#,
            ] {
                let reply = try await bench.post(body)
                #expect(reply.status == 503, "\(reply.text)")
                #expect(reply.body.contains(#""code":"clockNotSet""#), "\(reply.text)")
            }
            #expect(try bench.log.next == 0)
        }
    }

    /// A post of Health Auto Export: entries, each with its local time, which is UTC.
    private func export(_ entries: [(time: String, steps: Int)]) -> String {
        let texts = entries.map { #"{"qty":\#($0.steps),"date":"\#($0.time) +0000"}"# }
        let list = texts.joined(separator: ",")
        return #"{"data":{"metrics":[{"name":"step_count","data":[\#(list)]}]}}"#
    }

    private func send(
        _ entries: [(time: String, steps: Int)], by interval: String, to bench: Bench
    ) async throws -> Reply {
        let request = Request(bench.token, export(entries))
        return try await bench.send(request.with("automation-aggregation", interval).bytes)
    }

    @Test("make the total of a date only if all of it can be known")
    func wholeDates() async throws {
        try await Bench.serving { bench in
            // From the afternoon of 22 February up to the morning of 1 March.
            let hours =
                (15..<24).map { "2026-02-22 \(two($0)):00:00" }
                + (23...28).flatMap { day in
                    (0..<24).map { "2026-02-\(day) \(two($0)):00:00" }
                } + (0..<9).map { "2026-03-01 \(two($0)):00:00" }
            let reply = try await bench.post(export(hours.map { ($0, 100) }))
            #expect(reply.status == 200)
            #expect(try bench.totals() == [2_400, 2_400, 2_400, 2_400, 2_400, 900])
            #expect(
                reply.body.contains(
                    #""ignored":[{"date":"2026-02-22","samples":9,"reason":"tooOld"},"#
                        + #"{"date":"2026-02-23","samples":24,"reason":"tooOld"}]"#),
                "\(reply.text)")
            // What was not counted is not news for ever.
            let head = try bench.log.next
            _ = try await bench.post(export(hours.map { ($0, 100) }))
            #expect(try bench.log.next == head)
        }
    }

    @Test("count once where the program's interval is changed", arguments: [true, false])
    func changedInterval(_ hourIsFirst: Bool) async throws {
        try await Bench.serving { bench in
            let hour = (["2026-03-01 08:00:00"], 600, "Hours")
            let minutes = ((0..<60).map { "2026-03-01 08:\(two($0)):00" }, 10, "Minutes")
            for (times, steps, interval) in hourIsFirst ? [hour, minutes] : [minutes, hour] {
                let reply = try await send(times.map { ($0, steps) }, by: interval, to: bench)
                #expect(reply.body.contains(#""displayed":600"#), "\(reply.text)")
                #expect(reply.body.contains(#""newSamples":\#(times.count)"#), "\(reply.text)")
            }
            #expect(try bench.totals().last == 600)
        }
    }

    @Test("of a date's first hour are not taken for its total, if the program says so")
    func firstHour() async throws {
        try await Bench.serving { bench in
            let first = try await send([("2026-03-01 00:00:00", 30)], by: "Hours", to: bench)
            #expect(first.body.contains(#""displayed":30"#), "\(first.text)")
            let second = try await send([("2026-03-01 01:00:00", 100)], by: "Hours", to: bench)
            #expect(second.body.contains(#""displayed":130"#), "\(second.text)")
            let day = try await send([("2026-03-01 00:00:00", 140)], by: "Days", to: bench)
            #expect(day.body.contains(#""displayed":140"#), "\(day.text)")
            for interval in ["Weeks", "Fortnights"] {
                let long = try await send(
                    [("2026-02-23 00:00:00", 50_000)], by: interval, to: bench)
                #expect(long.status == 422, "\(long.text)")
            }
            #expect(try bench.totals() == [30, 130, 140])
        }
    }
}

/// A number of two digits.
private func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
