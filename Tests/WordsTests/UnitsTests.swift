import Events
import Testing

@testable import Words

@Suite("Units")
struct UnitsTests {
    private var imperial: Units {
        get throws {
            var preferences = Preferences()
            #expect(try preferences.set("distances=miles"))
            #expect(try preferences.set("weights=pounds"))
            return Units(preferences)
        }
    }

    @Test("tell one walk in kilometres and in miles")
    func walk() throws {
        #expect(Units.metric.distance(4_621_000) == "4.62 km")
        #expect(Units.metric.pace(4_621_000, 3_761_000) == "13:33 /km")
        #expect(Units.metric.climb(43_000) == "43 m")
        let imperial = try imperial
        #expect(imperial.distance(4_621_000) == "2.87 miles")
        #expect(imperial.pace(4_621_000, 3_761_000) == "21:49 /mile")
        #expect(imperial.climb(43_000) == "141 ft")
        #expect(Units.metric.distance(1_196_120_000) == "1,196.12 km")
        #expect(imperial.shortDistance(1_609_344_000) == "1,000 miles")
    }

    @Test("round half up, and stay within 64 bits at their ends")
    func rounding() throws {
        let imperial = try imperial
        #expect(Units.metric.distance(4_999) == "0.00 km")
        #expect(Units.metric.distance(5_000) == "0.01 km")
        #expect(imperial.distance(8_046) == "0.00 miles")
        #expect(imperial.distance(8_047) == "0.01 miles")
        #expect(imperial.distance(1_609_344) == "1.00 miles")
        for units in [Units.metric, imperial] {
            #expect(units.pace(1, .max) != nil)
            #expect(units.pace(0, 1) == nil)
            #expect(units.pace(nil, 1) == nil)
            #expect(!units.distance(.max).isEmpty)
            #expect(!units.climb(.max).isEmpty)
        }
    }

    @Test("tell a person's height and weight")
    func person() throws {
        #expect(Units.metric.stature(1_805) == "180.5 cm")
        #expect(Units.metric.weight(75_250) == "75.25 kg")
        let imperial = try imperial
        #expect(imperial.stature(1_803) == "5 ft 11 in")
        #expect(imperial.stature(1_829) == "6 ft 0 in")
        #expect(imperial.weight(75_000) == "165.3 lb")
    }

    @Test("and alerts that make no sense are refused, with what would")
    func refused() throws {
        var preferences = Preferences()
        for setting in [
            "distances=yards", "weights=stone", "alert-above=20", "alert-above=251",
            "alert-below=low", "auto-lap=1", "auto-lap=50m", "auto-lap=200km", "auto-pause=maybe",
        ] {
            #expect(throws: CommandFailure.self, "\(setting)") { try preferences.set(setting) }
        }
        #expect(preferences == Preferences())
        #expect(try !preferences.set("height=180cm"))
        _ = try preferences.set("alert-above=150")
        _ = try preferences.set("alert-below=150")
        #expect(throws: CommandFailure.self) { try preferences.refuseAlertsWithoutRoom() }
        _ = try preferences.set("alert-above=151")
        try preferences.refuseAlertsWithoutRoom()
        var laps = Preferences()
        _ = try laps.set("auto-lap=0.5mile")
        #expect(laps.autoLapMillimetres == 804_672)
        _ = try laps.set("auto-lap=none")
        #expect(laps == Preferences())
    }
}
