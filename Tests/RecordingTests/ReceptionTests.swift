import Events
import JSON
import Projections
import Testing

@testable import Recording

@Suite("Positions that do not come")
struct ReceptionTests {
    /// Each second `.` a fix, `e` one that may be off by 60 m, `n` a report without one, `s` one of
    /// satellites, `-` nothing; `u` the receiver is unplugged, `c` it is connected, `p` and `r`
    /// pause and resume; and words of what is said meanwhile.
    private static let receivers: [(seconds: String, said: [String])] = [
        ("c" + String(repeating: "n", count: 14), ["no fix yet"]),
        ("c..........", []), ("cnnnnnnnnnn.", []), ("-------------------", []),
        ("c....nnnnnnnnnnnnnn...", ["no fix since", "positions again"]),
        ("c....--------------...", ["silent since", "positions again"]),
        // Its satellites are no longer known after a while: that is no word of it.
        ("cs..-------n------...", ["silent since", "positions again"]),
        ("c....eeeeeeeeeeeeee...", ["inexact to count, 60 m", "positions again"]),
        ("c....u----c...", ["unplugged at", "positions again"]), ("c....p--------------r.", []),
        ("cnnnnnnnnnnnnnnnp--r.", ["no fix yet"]), ("c..--..--..ee..nn..", []),
        ("c....nnnnnnnnnnnnnn...eeeeeeeeeeeeee..", ["no fix", "again", "inexact", "again"]),
    ]

    @Test("says within 15 s why no position counts, and when they do", arguments: receivers.indices)
    func lacks(index: Int) async throws {
        let (seconds, said) = Self.receivers[index]
        var walk = try await RecordingLifeTests.Walk.begun(
            SessionPlan(source: .simulation, goal: Goal(kind: .distance, target: 5_000_000)))
        var told: [String] = []
        var last: String?
        for second in seconds {
            var fix = PositionFixed(latitudeE7: 1, longitudeE7: 2, accuracyMillimetres: 5_000)
            if second == "e" { fix.accuracyMillimetres = 60_000 }
            switch second {
            case "c": try await walk.happens(.receiverTold(.connected))
            case "u": try await walk.happens(.receiverTold(.unplugged))
            case "n", "s":
                try await walk.happens(.receptionTold(satellites: second == "s" ? 9 : nil))
            case ".", "e": try await walk.happens(.read(.record(.positionFixed(fix))))
            case "p": try await walk.happens(.asked(.command(.pause)))
            case "r": try await walk.happens(.asked(.command(.resume)))
            default: break
            }
            if second == "p" { try await walk.happens(.receiverTold(.left)) }
            if second == "r" { try await walk.happens(.receiverTold(.connected)) }
            try await walk.pass(1)
            let present = walk.said.last { $0.hasPrefix("GPS") }
            if let present, present != last { told.append(present) }
            last = present
        }
        #expect(told.count == said.count, "\(told)")
        for (sentence, words) in zip(told, said) { #expect(sentence.contains(words)) }
        let holds = said.count % 2 == 1 && !seconds.hasSuffix(".")
        let scene = Scene(walk.life)
        #expect((scene.positionProblem != nil) == holds && (scene.position?.lack != nil) == holds)
        let view = String(decoding: JSONWriter.line { scene.writeView(to: &$0) }, as: UTF8.self)
        #expect(view.contains(#""troubleOf":"nogps""#) == holds, "a quiet icon")
        #expect(index > 0 || view.contains(#""left":"no fix yet""#))
    }

    @Test("are a receiver's once its fixes are recorded, whatever a phone sent before")
    func phoneBefore() async throws {
        var walk = try await RecordingLifeTests.Walk.begun(
            SessionPlan(source: .simulation, goal: Goal(kind: .distance, target: 5_000_000)))
        let fix = PositionFixed(latitudeE7: 1, longitudeE7: 2, accuracyMillimetres: 5_000)
        let phone = PositionSourceTold(.ownTracks, name: "PH")
        try await walk.happens(.phoneHeard(PhoneFix(fix, of: phone)))
        #expect(Scene(walk.life).position?.isByPhone == true)
        try await walk.happens(.read(.record(.positionFixed(fix))))
        #expect(Scene(walk.life).position?.isByPhone == false)
    }
}
