import BluetoothCentral
import Events
import Projections
import TestSupport
import Testing

@testable import Recording
@testable import Terminal

@Suite("The front of a walk")
struct WalkFrontTests {
    @Test("asks before it ends anything, and takes any other key for no")
    func confirms() throws {
        var walk = try Walk.begun(isShown: true)
        #expect(walk.front.press(.character("s")) == nil)
        #expect(walk.lines().last?.contains("Finish this walk?") == true)
        #expect(walk.front.press(.character("x")) == nil)
        #expect(walk.lines()[14].hasSuffix("The walk goes on."))
        _ = walk.front.press(.character("s"))
        #expect(walk.front.press(.character("s")) == .command(.end()))
        _ = walk.front.press(.character("q"))
        #expect(walk.lines().last?.contains("Quit and keep the walk open?") == true)
        #expect(walk.front.press(.enter) == nil, "a stray Return ends nothing")
        _ = walk.front.press(.character("q"))
        #expect(walk.front.press(.character("q")) == .leave)
    }

    @Test(
        "takes no answer of the same burst, pasted or held", arguments: ["s", "q"] as [Character])
    func burst(key: Character) throws {
        var walk = try Walk.begun(isShown: true)
        for now in [1_000, 1_000, 1_001, 1_030, 1_300, 1_599] as [UInt64] {
            #expect(walk.front.press(.character(key), at: now) == nil)
        }
        #expect(walk.front.press(.character("x"), at: 1_700) == nil)
        #expect(walk.front.prompt != .none, "it still asks")
        #expect(walk.front.press(.character(key), at: 2_000) == nil)
        #expect(walk.front.takeAnswer(at: 2_099) == nil)
        #expect(walk.front.takeAnswer(at: 2_100) != nil)
        #expect(walk.front.takeAnswer(at: 2_200) == nil, "once")
    }

    @Test("a key that is held answers nothing", arguments: [250, 400, 500, 660, 1_000] as [UInt64])
    func held(delay: UInt64) throws {
        var walk = try Walk.begun(isShown: true)
        _ = walk.front.press(.character("s"), at: 10_000)
        for now in 10_000 + delay...13_000 {
            if (now - delay) % 33 == 1 {
                #expect(walk.front.press(.character("s"), at: now) == nil)
            }
            #expect(walk.front.takeAnswer(at: now) == nil)
        }
        #expect(walk.front.prompt == .finish)
    }

    @Test("uses the strap that is shown, and names that key next to all others")
    func otherStrap() throws {
        var walk = try Walk.begun(isShown: true)
        #expect(walk.front.press(.character("u")) == nil)
        let spare = BluetoothAddress(0xC400_0000_0002)
        walk.substitute = SubstituteStrap(
            address: spare, kind: .paired, title: "Spare", away: "Strap One", isPrimary: false)
        walk.show()
        let keys = "   u strap   p pause   m mark   l lap   f refresh   s finish   ? help   q quit"
        #expect(walk.lines().last == keys)
        #expect(walk.front.press(.character("u")) == .useSubstitute(spare))
    }

    @Test("names the key that helps, and takes the sentence away once it is over")
    func overAnswers() throws {
        var walk = try Walk.begun(isShown: true)
        #expect(walk.front.press(.character("r")) == nil)
        #expect(walk.lines().contains { $0.contains("not paused; p pauses it") })
        #expect(walk.front.press(.character("p")) == .command(.pause))
        try walk.story.add(.sessionPaused(SessionPaused()))
        walk.show()
        #expect(!walk.lines().contains { $0.contains("not paused") })
        #expect(walk.front.press(.character("p")) == nil)
        #expect(walk.lines().contains { $0.contains("already paused; r goes on") })
        #expect(!walk.lines().contains { $0.contains("pulselog") })
        #expect(walk.front.press(.character("r")) == .command(.resume))
        try walk.story.add(.sessionResumed(SessionResumed()))
        walk.show()
        #expect(!walk.lines().contains { $0.contains("already paused") })
    }

    @Test("shows the page's address as long as there is one, and in the help")
    func pageAddress() throws {
        let address = "http://127.0.0.1:8367/?token=" + String(repeating: "a", count: 43)
        var walk = try Walk()
        walk.front = WalkFront(storeDirectory: "/s", pageAddress: address)
        let said = Scene.News.said("Open \(address) in a browser on this machine.")
        walk.show(said)
        #expect(walk.lines().count { $0.contains(address) } == 1)
        try walk.begin(Goal(kind: .steps, target: 6_000))
        for _ in 0..<3 { try walk.beat(Array(repeating: 120, count: 40)) }
        #expect(walk.lines().count { $0.contains(address) } == 1)
        #expect(walk.lines(40, 10).allSatisfy { !$0.contains("token") })
        _ = walk.front.press(.character("?"))
        #expect(walk.lines().contains { $0.contains(address) })
        let narrow = walk.lines(40, 24).map { $0.filter { $0 != " " } }.joined()
        #expect(narrow.contains(address))
    }

    @Test("takes the text of a mark, and gives it up")
    func marks() throws {
        var walk = try Walk.begun(isShown: true)
        for key in "mbridgf" { #expect(walk.front.press(.character(key)) == nil) }
        _ = walk.front.press(.backspace)
        _ = walk.front.press(.character("e"))
        #expect(walk.lines().last?.contains("Mark: bridge") == true)
        #expect(walk.front.press(.enter) == .command(.mark("bridge")))
        try walk.story.add(.sessionMarked(SessionMarked(text: "bridge\u{1B}[2J")))
        walk.show()
        #expect(walk.lines()[14].contains("Marked: bridge\\u{1b}[2J"))
        _ = walk.front.press(.character("m"))
        #expect(walk.front.press(.escape) == nil)
        #expect(walk.lines()[14].hasSuffix("No mark was set."))
    }

    /// Keys while the session is set up, and what they ask.
    static let settingUp: [(key: Key, request: Request?)] = [
        (.character("g"), .nextGoal), (.enter, .begin), (.character("s"), .command(.end())),
        (.character("q"), .leave), (.character("p"), .command(.pause)),
        (.character("f"), .command(.refresh())), (.character("m"), nil), (.character("z"), nil),
        (.other, nil), (.escape, nil), (.backspace, nil),
    ]

    @Test("answers every key before the walk", arguments: settingUp)
    func beforeWalk(_ vector: (key: Key, request: Request?)) throws {
        var walk = try Walk()
        walk.show()
        let before = walk.lines()
        #expect(walk.front.press(vector.key) == vector.request)
        #expect(vector.request != nil || walk.lines() != before, "it answers")
    }

    @Test("answers every key during the walk", arguments: ["g", "z", "?", "m", "s", "q"])
    func duringWalk(_ key: String) throws {
        var walk = try Walk.begun(isShown: true)
        let before = walk.lines()
        #expect(walk.front.press(.character(Character(key))) == nil)
        #expect(walk.lines() != before)
    }

    @Test("lets sentences go after a minute, or when what they say is over")
    func messages() throws {
        var walk = try Walk.begun()
        walk.show(.said("One."))
        walk.story.now += 30_000
        walk.show(.said("Two."))
        #expect(walk.front.board.messages.map(\.text) == ["Two.", "One."])
        walk.show(.said("Three."))
        #expect(walk.front.board.messages.map(\.text) == ["Three.", "Two."])
        walk.show(.withdrawn("Three."))
        #expect(walk.front.board.messages.map(\.text) == ["Two."])
        walk.story.now += 60_001
        walk.show()
        #expect(walk.front.board.messages.isEmpty)
    }

    @Test("keeps news while keys are answered")
    func answers() throws {
        var walk = try Walk.begun()
        walk.show(.said("News."))
        for key in "zgz" { _ = walk.front.press(.character(key)) }
        #expect(walk.lines().contains { $0.hasSuffix("News.") })
        #expect(walk.lines().contains { $0.hasSuffix("? lists the keys.") })
    }

    @Test("asks as well while the session begins", arguments: ["s", "q"])
    func starting(_ key: Character) throws {
        var walk = try Walk()
        walk.phase = .starting
        walk.show()
        #expect(walk.front.press(.character(key)) == nil)
        #expect(walk.front.press(.character(key)) != nil)
    }

    @Test("beats with the heart, and stands still if that is wanted")
    func beats() throws {
        var walk = try Walk.begun()
        try walk.beat([120])
        let moving = Look(isColored: true, hasUnicode: true, beats: true)
        let bright = (0..<1_000).map { walk.front.isHeartBright(at: $0, moving) }
        #expect(zip(bright, bright.dropFirst()).filter { $0 != $1 }.count == 3)
        let still = Look(isColored: true, hasUnicode: true, beats: false)
        #expect((0..<1_000).allSatisfy { walk.front.isHeartBright(at: $0, still) })
    }
}
