import Events
import Foundation
import TestSupport
import Testing

@testable import Words

@Suite("What pages show along a walk")
struct LanesViewTests {
    private func view(_ make: (inout Story) throws -> Void) throws -> [String: Any] {
        var story = Story()
        try story.add(.sessionStarted(SessionStarted()))
        try make(&story)
        try story.add(.sessionEnded(SessionEnded(reason: .requested)))
        let (report, series) = try story.walked()
        return try object(SessionView(report, series, units: .metric))
    }

    private func along(_ make: (inout Story) throws -> Void) throws -> [String: Any] {
        try #require(try view(make)["along"] as? [String: Any])
    }

    private func keys(_ along: [String: Any]) -> [String] {
        (along["lanes"] as? [[String: Any]])?.compactMap { $0["key"] as? String } ?? []
    }

    @Test("is a lane for each source, on an axis of few round numbers; faster is higher")
    func lanes() throws {
        let along = try along { try $0.walk(minutes: 5, withHeights: true) }
        #expect(keys(along) == ["pace", "height", "cadence"])
        for lane in try #require(along["lanes"] as? [[String: Any]]) {
            let low = try #require(lane["low"] as? Int)
            let high = try #require(lane["high"] as? Int)
            let ticks = try #require(lane["ticks"] as? [[String: Any]])
            #expect(low < high && (2...4).contains(ticks.count))
            #expect(ticks.allSatisfy { ($0["v"] as? Int).map { low...high ~= $0 } == true })
            let labels = ticks.compactMap { $0["label"] as? String }
            #expect(Set(labels).count == ticks.count, "\(labels)")
            for value in try #require(lane["values"] as? [Any]) {
                if let value = value as? Int { #expect((low...high).contains(value)) }
            }
        }
        let texts = try #require(along["texts"] as? [String])
        #expect(texts.count <= 300)
        #expect(texts.contains { $0.hasSuffix(" /km · 52 m · 120 /min") }, "\(texts)")
    }

    @Test("is a line of pace that breaks where somebody stands, and does not drop to the edge")
    func standing() throws {
        let along = try along { story in
            try story.walk(minutes: 60, withHeights: false)
            story.now += 60_000
            try story.add(
                .counted(DeviceID(address: 1, space: .kernel), 7_201, distance: 4_501_000))
        }
        let lanes = try #require(along["lanes"] as? [[String: Any]])
        let pace = try #require(lanes.first { $0["key"] as? String == "pace" })
        let (values, low) = (try #require(pace["values"] as? [Any]), pace["low"] as? Int)
        let texts = try #require(along["texts"] as? [String])
        #expect(texts.contains { $0.contains(":") && !$0.hasPrefix("13:20 ") }, "\(texts)")
        for (value, text) in zip(values, texts) where !text.hasPrefix("13:20 ") {
            #expect(value as? Int != low, "\(text)")
        }
    }

    @Test("is no lane without a source, and a pause by its name where no heart rate names it")
    func absent() throws {
        let steps = try along { story in
            try story.walk(minutes: 2, withHeights: false)
            try story.add(.sessionPaused(SessionPaused()))
            story.now += 60_000
            try story.add(.sessionResumed(SessionResumed()))
        }
        #expect(!keys(steps).contains("height") && keys(steps).contains("cadence"))
        let texts = try #require(steps["texts"] as? [String])
        #expect(texts.filter { $0 == "paused" }.count == 12)
        let pause = try #require((steps["pauses"] as? [[String: Int]])?.first)
        #expect(pause["to"].map { $0 - (pause["from"] ?? 0) } == 60_000)
        let nothing = try along { $0.now += 90_000 }
        #expect(keys(nothing).isEmpty)
        #expect((nothing["clock"] as? [String: Any])?["texts"] is [String])
    }

    @Test("is one loud number: the distance, or the time where that is unknown")
    func loud() throws {
        #expect(try view { $0.now += 90_000 }["loud"] as? String == "active")
        let known = try view { try $0.walk(minutes: 2, withHeights: false) }
        #expect(known["loud"] as? String == "distance")
    }

    @Test("was measured for at most all of its time, however short it was")
    func share() throws {
        let found = try view { story in
            try story.pair("H10")
            try story.notify(.heartRateMeasurement, [0, 80])
            story.now += 150
        }
        let sources = try #require(found["sources"] as? [[String: Any]])
        let rows = try #require(sources.last?["rows"] as? [[String: String]])
        #expect(rows.map { $0["name"] } == ["Heart rate", "Measured", "Log"])
        #expect(rows[0]["note"] == "1 value" && rows[1]["note"] == "100 %")
    }

    @Test("is what each kilometre climbs, where heights were recorded")
    func climb() throws {
        for withHeights in [true, false] {
            let found = try view { try $0.walk(minutes: 20, withHeights: withHeights) }
            let splits = try #require(found["splits"] as? [String: Any])
            let heads = try #require(splits["heads"] as? [String])
            #expect(heads.contains("Climb") == withHeights)
            let rows = try #require(splits["rows"] as? [[String: Any]])
            let sums = try #require(splits["sums"] as? [String])
            let cells = rows.compactMap { $0["cells"] as? [String] } + [sums]
            #expect(cells.allSatisfy { $0.count == heads.count })
            #expect(!withHeights || cells.allSatisfy { Int($0[2]).map { $0 > 0 } == true })
        }
    }

    @Test("is a legend in four steps of one colour, whose limits never say a number twice")
    func ramps() throws {
        for minutes in [3, 20] as [UInt64] {
            let found = try view { try $0.walk(minutes: minutes, withHeights: true) }
            let route = try #require(found["route"] as? [String: Any])
            let maps = try #require(route["heat"] as? [[String: Any]])
            for map in maps where map["isKnown"] as? Bool == true {
                let ramp = try #require(map["ramp"] as? [String: Any])
                let limits = try #require(ramp["limits"] as? [String])
                let said = limits.filter { !$0.isEmpty }
                #expect(limits.count == 3 && Set(said).count == said.count, "\(limits)")
                let segments = try #require(map["segments"] as? [[String: Any]])
                let isWhole = !segments.contains { $0["zone"] as? Int == 0 }
                #expect((map["legend"] as? [Any])?.isEmpty == isWhole)
                for segment in segments {
                    let zone = try #require(segment["zone"] as? Int)
                    let opacity = ["1.00", "0.25", "0.50", "0.75", "1.00"][zone]
                    #expect(zone == 0 || segment["opacity"] as? String == opacity)
                }
            }
            let pace = try #require(maps.first { $0["key"] as? String == "pace" })
            let ramp = try #require(pace["ramp"] as? [String: Any])
            #expect(ramp["low"] as? String == "slow" && ramp["high"] as? String == "fast, /km")
        }
    }
}
