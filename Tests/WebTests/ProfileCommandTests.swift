import Events
import Projections
import TestSupport
import Testing
import WalkService

@testable import Web

@Suite("The profile by HTTP")
struct ProfileCommandTests {
    private func command(
        _ settings: [String], after earlier: [String] = []
    ) throws -> Projections.Command {
        var story = Story()
        if !earlier.isEmpty { try story.add(try profile(of: try command(earlier))) }
        let list = settings.map { "\"\($0)\"" }.joined(separator: ",")
        let body = #"{"command":"profile","settings":[\#(list)]}"#
        let read = try WalkCommand(decodingJSON: Array(body.utf8))
        guard case .decide(let make) = read else { throw ProgramError("It is \(read).") }
        return try make(story.state)
    }

    private func profile(of command: Projections.Command) throws -> Event {
        guard case .setWalker(let profile, _, _) = command else { return .sessionPaused(.init()) }
        return .profileChanged(profile)
    }

    @Test("takes what people type, in their units and with their commas")
    func typed() throws {
        var preferences = Preferences()
        preferences.lengthUnit = OpenCode(LengthUnit.miles)
        preferences.alertAboveBPM = 150
        preferences.autoLapMillimetres = 1_609_344
        let walker = Walker(birthYear: 1_985, sex: .female)
        let profile = Profile(
            heightMillimetres: 1_803, weightGrams: 74_979, dailyGoalSteps: 8_500,
            zones: .limits, zoneLimits: [95, 125, 155])
        let settings = [
            "height=5ft11in", "weight=165.3lb", "daily-goal=8,500", "zones=95,125,155",
            "born=1985", "sex=female", "distances=miles", "alert-above=150", "auto-lap=1miles",
        ]
        #expect(try command(settings) == .setWalker(profile, walker, preferences))
        for (height, millimetres) in [
            ("71in", 1_803), ("6ft", 1_829), ("5ft11.5in", 1_816), ("180,5cm", 1_805),
            ("1.8m", 1_800),
        ] as [(String, UInt64)] {
            let wanted = Profile(heightMillimetres: millimetres)
            #expect(
                try command(["height=\(height)"]) == .setWalker(wanted, Walker(), Preferences()),
                "\(height)")
        }
    }

    @Test(
        "refuses what makes no sense with a sentence for a page: why, and from what to what",
        arguments: [
            ("height=18cm", "18cm is out of range: from 50 cm to 250 cm. Did you mean 180 cm?"),
            ("height=9ft", "9ft is out of range: from 1 ft 8 in to 8 ft 2 in."),
            ("height=5ft12in", "5ft12in cannot be read."),
            ("height=tall", "tall cannot be read."),
            ("weight=9lb", "9lb is out of range: from 44.1 lb to 1,102.3 lb. Did you mean 90 lb?"),
            ("weight=750kg", "750kg is out of range: from 20 kg to 500 kg. Did you mean 75 kg?"),
            ("daily-goal=0", "0 is out of range: from 1 steps to 1,000,000 steps."),
            ("max-hr=300", "300 is out of range: from 60 BPM to 260 BPM."),
            ("resting-hr=9", "9 is out of range: from 20 BPM to 150 BPM. Did you mean 90 BPM?"),
            ("birth-year=85", "85 is not a year from 1900 to 2100."),
            ("alert-above=20", "20 is not a heart rate from 30 to 250 BPM."),
            ("auto-lap=10m", "10m is out of range: from 0.1 km to 100 km. Did you mean 0.1 km?"),
        ])
    func refused(_ setting: String, _ sentence: String) throws {
        do {
            _ = try command([setting])
            Issue.record("It is taken.")
        } catch let refusal as WalkRefusal {
            #expect(refusal.message == sentence && refusal.code == "refused")
        }
    }

    @Test("is taken whole or not at all, and leaves what it does not name")
    func whole() throws {
        #expect(throws: WalkRefusal.self) { try command(["weight=75kg", "height=18cm"]) }
        #expect(throws: WalkRefusal.self) { try command(["zones=60,75,90%"]) }
        #expect(throws: WalkRefusal.self) {
            try command(["max-hr=none"], after: ["max-hr=180", "zones=60,75,90%"])
        }
        let known = Profile(heightMillimetres: 1_800, weightGrams: 75_000)
        #expect(
            try command(["weight=75kg"], after: ["height=180cm"])
                == .setWalker(known, Walker(), Preferences()))
        let shares = Profile(
            maximumHeartRateBPM: 180, zones: .percentOfMaximum, zoneLimits: [60, 75, 90])
        #expect(
            try command(["max-hr=180", "zones=60,75,90%"])
                == .setWalker(shares, Walker(), Preferences()))
    }

    @Test(
        "is a list of texts",
        arguments: ["", #","settings":"height=180cm""#, #","settings":[1]"#, #","settings":null"#])
    func shape(_ more: String) {
        let body = #"{"command":"profile"\#(more)}"#
        #expect(throws: HTTPRefusal.self) { try WalkCommand(decodingJSON: Array(body.utf8)) }
    }
}
