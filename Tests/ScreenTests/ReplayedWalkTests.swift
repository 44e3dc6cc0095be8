import Events
import TestSupport
import Testing

@testable import Recording
@testable import Terminal

@Suite("The screen of a replay")
struct ReplayedWalkTests {
    /// What happens in a walk, each with what the heart rate is then.
    private static let events: [Event] = [
        .linkLost(LinkLost(device: Story.strap, cause: .timeout)),
        .linkUp(LinkUp(device: Story.strap, attempt: 2)),
        .sessionPaused(SessionPaused()), .sessionResumed(SessionResumed()),
        .sessionMarked(SessionMarked(text: "bridge")),
    ]

    @Test("shows what the recorder showed, but for its own name and keys")
    func sameScreen() throws {
        var (own, again) = (try Walk(), try Walk())
        try own.begin(Goal(kind: .steps, target: 6_000))
        try again.begin(Goal(kind: .steps, target: 6_000))
        func goOn(_ change: (inout Story) throws -> Void) rethrows {
            try change(&own.story)
            try change(&again.story)
            own.show()
            again.showAgain()
            #expect(own.lines().dropFirst().dropLast() == again.lines().dropFirst().dropLast())
        }
        for event in Self.events {
            for bpm: UInt8 in [96, 141, 182] {
                try goOn { story in
                    story.now += 1_000
                    try story.notify(.heartRateMeasurement, [0x06, bpm])
                }
            }
            try goOn { story in
                try story.add(event)
                story.now += 12_000
            }
            let (first, replayed) = (own.lines()[0], again.lines()[0])
            #expect(first.dropFirst(20) == replayed.dropFirst(20))
            #expect(replayed.hasPrefix(" ● Replay") == first.hasPrefix(" ● Recording"))
        }
    }

    @Test("ends at once when it is asked to, and takes no command of a walk")
    func keys() throws {
        var walk = try Walk()
        walk.showAgain()
        #expect(walk.lines()[0].hasPrefix(" ○ Replay"), "no session has begun")
        try walk.begin()
        walk.showAgain()
        #expect(walk.lines().last?.hasSuffix("? help   q quit") == true)
        for key in "prmfsg" {
            #expect(walk.front.press(.character(key)) == nil)
            #expect(walk.lines().contains { $0.contains("This is a replay") }, "\(key)")
            walk.story.now += 61_000
            walk.showAgain()
        }
        _ = walk.front.press(.character("?"))
        #expect(walk.lines().contains { $0.contains("Nothing is recorded") })
        _ = walk.front.press(.enter)
        #expect(walk.front.press(.character("q")) == .leave)
        walk.front.controls.hasKeys = false
        #expect(walk.lines().last?.contains("Ctrl-C ends the replay") == true)
    }
}
