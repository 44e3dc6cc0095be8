import Events
import Projections
import TestSupport
import Testing

@testable import Recording
@testable import Terminal

@Suite("The screen of a walk")
struct WalkScreenTests {
    @Test("shows the walk at 80 by 24, each thing in its place")
    func reference() throws {
        var walk = try Walk.begun(Goal(kind: .steps, target: 6_000))
        try walk.beat(Array(repeating: 90, count: 100) + Array(repeating: 150, count: 130))
        walk.show(.said("The strap was away for 13 s."))
        let lines = walk.lines()
        #expect(lines.count == 24)
        #expect(lines[0].hasPrefix(" ● Recording"))
        #expect(lines[0].contains("3:50"))
        #expect(lines[0].hasSuffix("Strap One  battery 87 %"))
        #expect(lines[2].hasPrefix("   ♥ 150 BPM   vigorous"))
        #expect(lines[2].contains("mean 123.91"))
        #expect(lines[2].contains("highest 150"))
        #expect(lines[4].hasPrefix("   180 ┤"))
        #expect(lines[4].hasSuffix("▃▃▃▃▃▃▃▃▃▃▃▃▃"), "a quarter of the way from 140 to 180")
        #expect(lines[5].hasPrefix("   140 ┤") && lines[5].hasSuffix("█████████████"))
        #expect(lines[6].contains("▇▇▇▇▇▇▇▇▇█████████████"))
        #expect(lines[7].hasPrefix("       └ "))
        #expect(lines[9].hasPrefix("   Steps            –   ░░░") && lines[9].hasSuffix("of 6,000"))
        #expect(lines[11].hasPrefix("   Energy      – kcal"), "nothing counted is not 0")
        #expect(lines[10].contains("6,000 to go"))
        #expect(lines[12].contains("resting 1:40     moderate 0:00    vigorous 2:09"))
        #expect(walk.lines(120)[2].hasSuffix("   HRV   –       over time 123.80   lowest  90"))
        #expect(lines[13].hasPrefix("   Today") && lines[13].hasSuffix("of 8,000"))
        #expect(lines[15].hasSuffix("The strap was away for 13 s."))
        #expect(lines[23] == "   p pause   m mark   l lap   f refresh   s finish   ? help   q quit")
    }

    @Test("moves nothing when a number grows or is missing")
    func fixed() throws {
        var walk = try Walk.begun()
        var columns: Set<Int> = []
        for bpm: UInt8 in [9, 99, 100, 180, 255] {
            try walk.beat([bpm])
            let line = walk.lines()[2]
            columns.insert(try Self.column(of: "BPM", in: line))
            columns.insert(try Self.column(of: "mean", in: line))
        }
        walk.story.now += 60_000
        walk.show()
        let line = walk.lines()[2]
        #expect(line.hasPrefix("   ♥   – BPM   no value"))
        columns.insert(try Self.column(of: "BPM", in: line))
        #expect(columns.count == 2, "\(columns)")
    }

    private static func column(of word: String, in line: String) throws -> Int {
        line.distance(
            from: line.startIndex, to: try #require(line.firstRange(of: word)).lowerBound)
    }

    @Test("shows name, heart rate, contact and battery before the walk")
    func setUp() throws {
        var walk = try Walk()
        func seen() -> [String] {
            walk.show()
            return [walk.lines()[0], walk.lines()[2]]
        }
        #expect(seen()[0].hasSuffix("Strap One  scanning"))
        #expect(seen()[1] == "   ♥   – BPM   no link")
        try walk.story.add(.linkUp(LinkUp(device: Story.strap, attempt: 1)))
        #expect(seen()[0].hasSuffix("  Strap One"))
        walk.story.now += Rules().silenceMilliseconds
        #expect(seen()[0].hasSuffix("  Strap One"))
        walk.story.now += 1
        #expect(seen()[0].hasSuffix("Strap One  no value"))
        try walk.story.notify(.heartRateMeasurement, [0x06, 72])
        try walk.story.notify(.batteryLevel, [87])
        #expect(seen()[0].hasPrefix(" ○ Ready") && seen()[0].hasSuffix("Strap One  battery 87 %"))
        #expect(seen()[1] == "   ♥  72 BPM   resting")
        try walk.story.notify(.heartRateMeasurement, [0x04, 0])
        try walk.story.notify(.batteryLevel, [20])
        #expect(seen()[0].hasSuffix("Strap One  no contact  battery 20 %, low"))
        #expect(seen()[1] == "   ♥   – BPM   no contact")
    }

    @Test("offers no key that does nothing while the session begins")
    func starting() throws {
        var walk = try Walk()
        walk.phase = .starting
        walk.show()
        #expect(walk.lines()[0].hasPrefix(" ○ Starting"))
        #expect(walk.lines().last == "   ? help   q quit")
        #expect(!walk.lines().contains { $0.contains("first heart rate") })
    }

    @Test("says what hinders a heart rate")
    func absences() throws {
        var walk = try Walk()
        walk.show()
        #expect(walk.lines()[0].hasPrefix(" ○ Looking for the strap"))
        #expect(walk.lines().last == "   g goal   Return begin   ? help   q quit")
        try walk.begin()
        try walk.beat([120])
        #expect(walk.lines(30, 3)[0].contains("♥ 120 "))
        try walk.story.notify(.heartRateMeasurement, [0x04, 120])
        walk.show()
        #expect(walk.lines()[2].hasPrefix("   ♥   – BPM   no contact"))
        #expect(walk.lines(30, 3)[0].contains("♥   – "))
        try walk.beat([120])
        try walk.story.add(.linkLost(LinkLost(device: Story.strap)))
        walk.story.now += 10_000
        walk.show()
        #expect(walk.lines()[2].hasPrefix("   ♥ 120 BPM"), "the grace changes nothing")
        walk.story.now += 1
        walk.show()
        #expect(walk.lines()[2].hasPrefix("   ♥   – BPM   no link"))
        #expect(walk.lines()[0].hasSuffix("Strap One  reconnecting"))
        try walk.story.add(.sessionPaused(SessionPaused()))
        walk.story.now += 130_000
        walk.show()
        #expect(walk.lines()[0].hasPrefix(" ‖ Paused 2:10"))
        #expect(walk.lines()[2].hasPrefix("   ♡   – BPM   paused"))
        #expect(walk.lines().last?.contains("lap") == false, "a pause has none")
        try walk.story.add(
            .adapterStateChanged(AdapterStateChanged(state: .poweredOff)))
        walk.show()
        #expect(walk.lines()[2].hasPrefix("   ♡   – BPM"), "it may be over at once")
        walk.bluetoothProblem =
            "Bluetooth is blocked; waiting for it. Unblock it: rfkill unblock bluetooth."
        walk.show(.said(walk.bluetoothProblem ?? ""))
        #expect(walk.lines()[2].hasSuffix("unblock") && walk.lines()[3] == "   bluetooth.")
        #expect(walk.front.board.messages.isEmpty, "it stands there already")
        #expect(walk.lines(40, 3)[0].hasPrefix("‖ "))
    }

    @Test("says nothing of a strap, nor of a heart, where only a pedometer is paired")
    func pedometerOnly() throws {
        var walk = try Walk()
        try walk.story.add(.deviceForgotten(DeviceForgotten(device: Story.strap)))
        try walk.story.add(.devicePaired(DevicePaired(device: Story.pod, roles: .footPod)))
        try walk.story.add(.primaryChosen(PrimaryChosen(role: .pedometer, device: Story.pod)))
        walk.show()
        #expect(walk.lines().last == "   g goal   Return begin   f refresh   ? help   q quit")
        for key in "g?" {
            let shown = (walk.lines() + walk.lines(30, 3)).joined(separator: "\n")
            #expect(!shown.contains("trap") && !shown.contains("♥"), "\(shown)")
            _ = walk.front.press(.character(key))
        }
    }

    @Test("says why none of a strap's values count, until its contact is ignored")
    func contactNeverSet() throws {
        var walk = try Walk.begun()
        for _ in 0..<12 {
            walk.story.now += 1_000
            try walk.story.notify(.heartRateMeasurement, [0x14, 96, 0, 3])
            walk.show()
        }
        let text = walk.lines().joined(separator: " ")
        #expect(text.contains("never reports contact") && !text.contains("96 BPM"))
        #expect(walk.lines(40, 3)[0].contains("–"))
        try walk.story.add(.contactChosen(ContactChosen(device: Story.strap, ignored: true)))
        walk.story.now += 1_000
        try walk.story.notify(.heartRateMeasurement, [0x14, 96, 0, 3])
        walk.show()
        #expect(walk.lines()[2].contains(" 96 BPM"))
    }

    @Test("shows no heart rate where the strap sends none, and no bar for it")
    func noReading() throws {
        var walk = try Walk.begun()
        try walk.beat([255, 255, 255])
        #expect(walk.lines()[2].contains("   – BPM"))
        #expect(!walk.lines().joined().contains("255"))
        try walk.beat([80])
        #expect(walk.lines()[2].contains(" 80 BPM"))
    }

    @Test("shows as long as it holds that nothing can be recorded, whatever else is said")
    func storageProblem() throws {
        var walk = try Walk.begun()
        walk.storageProblem = "Nothing can be recorded now: a test writes. It is kept in memory."
        walk.show(.said(walk.storageProblem ?? ""))
        for key in "zgz" { _ = walk.front.press(.character(key)) }
        walk.story.now += 120_000
        walk.show(.said("One."), .said("Two."))
        for (columns, rows) in [(80, 24), (40, 10)] {
            let lines = walk.lines(columns, rows)
            #expect(lines[0].hasPrefix(" ● Waiting"))
            #expect(lines.contains { $0.contains("Nothing can be recorded now") })
        }
        walk.storageProblem = nil
        walk.show()
        #expect(walk.lines()[0].hasPrefix(" ● Recording"))
        #expect(!walk.lines().contains { $0.contains("Nothing can be recorded") })
    }

    @Test("offers no keys where none can be pressed, and no Ctrl-Z where it does nothing")
    func controls() throws {
        var walk = try Walk.begun()
        walk.front.controls = WalkFront.Controls(hasKeys: false, canSuspend: false)
        walk.show()
        #expect(walk.lines().last?.hasPrefix("   Ctrl-C finishes") == true)
        walk.front.controls.hasKeys = true
        _ = walk.front.press(.character("?"))
        #expect(!walk.lines().contains { $0.contains("Ctrl-Z") })
        walk.front.controls.canSuspend = true
        #expect(walk.lines().contains { $0.contains("Ctrl-Z") })
    }

    @Test("breaks the trace while there is no link")
    func gap() throws {
        var walk = try Walk.begun()
        try walk.beat(Array(repeating: 120, count: 150))
        try walk.story.add(.linkLost(LinkLost(device: Story.strap)))
        walk.story.now += 120_000
        try walk.beat(Array(repeating: 120, count: 200))
        let lines = walk.lines()
        #expect(lines[6].contains("█          "))
        #expect(lines[7].contains("·no link·"))
    }

    @Test("says nothing of a loss within the grace, wherever it stands in the trace")
    func shortLoss() throws {
        var walk = try Walk.begun()
        try walk.beat(Array(repeating: 120, count: 150))
        try walk.story.add(.linkLost(LinkLost(device: Story.strap)))
        walk.story.now += 9_000
        try walk.beat([120])
        for _ in 0..<200 {
            try walk.beat([120])
            #expect(!walk.lines().contains { $0.contains("no link") })
        }
    }

    @Test("shows a sentence to its end where it has no room of its own")
    func smallMessage() throws {
        var walk = try Walk.begun(Goal(kind: .steps, target: 6_000))
        walk.show(.said("Something went wrong with the strap; it goes on. Moisten it, please."))
        #expect(walk.lines(40, 10).contains { $0.hasSuffix("please.") })
        var seen: [String] = []
        for _ in 0..<10 {
            seen.append(walk.lines(20, 3)[0])
            walk.story.now += 1_000
        }
        #expect(seen.contains { $0.contains("went wrong") })
        walk.story.now += 20_000
        #expect(walk.lines(40, 10).last?.contains("p pause") == true)
    }

    @Test("explains how to end a walk, and how to leave the help, in any window")
    func help() throws {
        var walk = try Walk.begun(isShown: true)
        #expect(walk.lines(40, 10).last == "   p pause   s finish   ? help   q quit")
        _ = walk.front.press(.character("?"))
        for (columns, rows) in [(40, 10), (80, 24)] {
            let lines = walk.lines(columns, rows)
            for words in ["s finish", "q quit", "any key goes back"] {
                #expect(lines.contains { $0.contains(words) }, "\(words)")
            }
        }
        #expect(walk.lines().contains { $0.contains("/home/walker/.local/share/pulselog") })
    }

    @Test("leaves room for what a mark's keys are")
    func markLine() throws {
        var walk = try Walk.begun(isShown: true)
        for key in "m" + String(repeating: "w", count: 60) { _ = walk.front.press(.character(key)) }
        #expect(walk.lines().last?.hasSuffix("Return saves, Esc cancels") == true)
    }

    /// Sizes from the whole screen down to a cell.
    static let sizes = [
        (80, 24), (200, 60), (80, 14), (60, 12), (40, 10), (39, 24), (80, 9), (20, 3), (1, 1),
    ]

    @Test("cuts no number in two where it is narrow", arguments: [9_000_000, 50_000_000])
    func wholeNumbers(_ target: UInt64) throws {
        var walk = try Walk.begun(Goal(kind: .distance, target: target), outAndBack: true)
        try walk.beat([120])
        let turn = "turn at \(target == 9_000_000 ? "4.50" : "25.00") km"
        for columns in 36...60 {
            for line in walk.lines(columns, 12) where line.contains("turn") {
                #expect(line.contains(turn), "\(columns)")
            }
        }
        #expect(walk.lines(80, 12).contains { $0.contains(turn) })
        #expect(walk.lines(40, 12)[0].hasSuffix("  87 %"), "the battery's neither")
    }

    @Test("fits every terminal, with and without UTF-8 and colours", arguments: sizes)
    func fits(_ size: (Int, Int)) throws {
        var walk = try Walk.begun(Goal(kind: .distance, target: 5_000_000), outAndBack: true)
        try walk.beat(Array(repeating: 150, count: 60))
        walk.show(.said(String(repeating: "A long sentence. ", count: 30)))
        #expect(walk.lines(size.0, size.1).count == size.1)
        walk.story.now += 60_000
        try walk.beat([150])
        let looks = [false, true].flatMap { colored in [false, true].map { (colored, $0) } }
        for (isColored, isUnicode) in looks {
            let lines = walk.lines(size.0, size.1, colored: isColored, unicode: isUnicode)
            #expect(lines.count == size.1)
            #expect(lines[0].contains(isUnicode ? "●" : "*"))
            if !isUnicode { #expect(lines.allSatisfy { $0.utf8.allSatisfy { $0 < 0x80 } }) }
            let isWhole = size.0 >= 40 && size.1 >= 10
            #expect(lines.contains { $0.contains("Energy") } == isWhole)
            #expect(lines.contains { $0.contains("p pause") } == isWhole)
            #expect(lines.contains { $0.contains("180 ") } == (isWhole && size.1 >= 14))
            _ = walk.front.press(.character("?"))
            #expect(walk.lines(size.0, size.1, colored: isColored).count == size.1)
            _ = walk.front.press(.character("?"))
        }
    }
}
