import Events
import Testing

@testable import Words

@Suite("The profile in words")
struct ProfileTextTests {
    @Test("is told in centimetres, kilograms and beats a minute")
    func units() throws {
        var profile = Profile()
        for setting in ["height=180.5cm", "weight=75.25kg", "max-hr=185", "zones=60%,75%,90%"] {
            try profile.set(setting)
        }
        let lines = ProfileText(profile).text.split(separator: "\n").map(String.init)
        #expect(lines.contains("Height        180.5 cm"))
        #expect(lines.contains("Weight        75.25 kg"))
        #expect(
            lines.contains("Zones         60 %, 75 %, 90 % of the maximum (111, 138.75, 166.5 BPM)")
        )
        #expect(ProfileText(Profile()).text.contains("standard (100, 140, 180 BPM)"))
        let (before, walker) = (ProfileText(profile), Walker(birthYear: 1_980))
        profile.heightMillimetres = 1_750
        #expect(
            ProfileText(profile, walker).changes(since: before)
                == "Height        180.5 cm → 175 cm\nBirth year    1980")
        #expect(before.changes(since: before) == "Nothing has changed.")
    }

    @Test("has no zones in percent of what is not known")
    func unbounded() throws {
        for zones in ["zones=60%,75%,90%", "zones=reserve:50,70,85"] {
            var profile = Profile()
            try profile.set(zones)
            #expect(throws: CommandFailure.self) { try profile.refuseZonesWithoutBounds() }
            try profile.set("max-hr=185")
            if zones.contains("reserve") {
                #expect(throws: CommandFailure.self) { try profile.refuseZonesWithoutBounds() }
                try profile.set("resting-hr=55")
            }
            try profile.refuseZonesWithoutBounds()
        }
    }
}
