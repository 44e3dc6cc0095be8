import BluetoothCentral
import Events
import Files
import Foundation
import Projections
import TestSupport
import Testing
import Words

@testable import Recording
@testable import Terminal

@Suite("A recording in plain sentences")
struct SceneSentencesTests {
    /// The lines of a walk's next scene, without their times.
    private static func tell(_ walk: inout Walk, _ sentences: inout SceneSentences) -> [String] {
        walk.show()
        guard let scene = walk.front.scene else { return [] }
        return String(decoding: sentences.lines(of: scene), as: UTF8.self)
            .split(separator: "\n").map { String($0.dropFirst(10)) }
    }

    private static func begun() throws -> (Walk, SceneSentences) {
        var (walk, sentences) = (try Walk.begun(), SceneSentences())
        _ = tell(&walk, &sentences)
        return (walk, sentences)
    }

    @Test("begins with nothing but what happened, and tells each minute how the walk goes")
    func minutes() throws {
        var walk = try Walk()
        var sentences = SceneSentences()
        #expect(Self.tell(&walk, &sentences).isEmpty)
        try walk.begin(Goal(kind: .steps, target: 6_000))
        #expect(
            Self.tell(&walk, &sentences) == ["The walk begins; its goal: 6,000 steps."])
        try walk.story.notify(.heartRateMeasurement, [0x06, 120])
        #expect(Self.tell(&walk, &sentences).isEmpty)
        walk.story.now += 60_000
        try walk.story.notify(.heartRateMeasurement, [0x06, 121])
        #expect(
            Self.tell(&walk, &sentences) == ["121 BPM moderate"])
        try walk.story.notify(.heartRateMeasurement, [0x04, 121])
        walk.story.now += 60_000
        #expect(Self.tell(&walk, &sentences) == ["no heart rate"])
    }

    @Test("tells the heart rate of the minute, whatever the last value is")
    func zeroInPassing() throws {
        var (walk, sentences) = try Self.begun()
        for second in 1...60 {
            walk.story.now += 1_000
            let bpm: UInt8 = second % 3 == 0 ? 0 : second % 3 == 1 ? 118 : 123
            try walk.story.notify(.heartRateMeasurement, [0x00, bpm])
        }
        #expect(Self.tell(&walk, &sentences) == ["121 BPM moderate"])
        walk.story.now += 60_000
        #expect(Self.tell(&walk, &sentences) == ["no heart rate"])
    }

    @Test("tells what another terminal does to the walk")
    func commands() throws {
        var (walk, sentences) = try Self.begun()
        try walk.story.add(.sessionMarked(SessionMarked(text: "bridge\u{1B}")))
        try walk.story.add(.sessionPaused(SessionPaused()))
        #expect(
            Self.tell(&walk, &sentences) == ["Marked: bridge\\u{1b}", "The walk is paused."])
        walk.story.now += 60_000
        #expect(Self.tell(&walk, &sentences) == ["paused"])
        try walk.story.add(.sessionResumed(SessionResumed()))
        #expect(Self.tell(&walk, &sentences) == ["The walk goes on."])
    }

    @Test("has priorities in a service's journal, and the walk that it is about, to its totals")
    func journal() async throws {
        let folder = try TemporaryDirectory()
        let socket = try NotifySocket(folder.path + "/journal")
        var status = stat()
        fstat(STDIN_FILENO, &status)
        let journal = try #require(
            ServiceJournal(of: STDIN_FILENO, at: folder.path + "/journal") {
                ["JOURNAL_STREAM": "\(status.st_dev):\(status.st_ino)"][$0]
            })
        var view = LineView(SceneLines(json: false), SceneSentences(), journal: journal)
        var walk = try Walk.begun(isShown: true)
        var scene = try #require(walk.front.scene)
        let position = try #require(scene.session)
        scene.storageProblem = "The disk is full."
        scene.news = [.said("The disk is full.")]
        view.show(scene)
        for (text, priority) in [("The walk begins.", "6"), ("The disk is full.", "4")] {
            let fields = try await socket.receiveFields()
            #expect(fields["MESSAGE"] == text)
            #expect(fields["PRIORITY"] == priority)
            #expect(fields["PULSELOG_SESSION"] == "\(position)")
        }
        // As a recorder does that waits for the next one.
        try walk.story.add(.sessionEnded(SessionEnded(reason: .takenOff)))
        walk.show()
        let last = try #require(walk.front.scene)
        var after = Scene(
            phase: .settingUp, state: last.state, session: nil, moment: last.moment,
            strap: last.strap)
        after.events = last.events
        view.show(after)
        for word in ["walk has ended", "active "] {
            let fields = try await socket.receiveFields()
            #expect(fields["MESSAGE"]?.contains(word) ?? false, "\(fields)")
            #expect(fields["PULSELOG_SESSION"] == "\(position)")
        }
        // A service that is stopped has told nobody the totals of its last walk.
        var stopped = LineView(SceneLines(json: false), SceneSentences(), journal: journal)
        #expect(await stopped.finish(last) == nil)
        let fields = try await socket.receiveFields()
        #expect(fields["MESSAGE"]?.contains("active ") ?? false, "\(fields)")
        #expect(fields["PULSELOG_SESSION"] == "\(position)")
        try folder.remove()
    }

    @Test("says what was left out, and that there was no session")
    func omissions() throws {
        var walk = try Walk()
        walk.show()
        var scene = try #require(walk.front.scene)
        scene.omitted = 1_204
        scene.news = [.said("Hello."), .withdrawn("Hello.")]
        var sentences = SceneSentences()
        let text = String(decoding: sentences.lines(of: scene), as: UTF8.self)
        #expect(text.contains("  Events and messages left out here: 1,204.\n"))
        #expect(text.hasSuffix("  Hello.\n"))
        walk.phase = .ended(.done)
        #expect(Self.tell(&walk, &sentences) == ["No session was started."])
        #expect(
            String(decoding: SceneSentences.omission(of: 3), as: UTF8.self)
                == "3 messages left out because nothing was reading the output.\n")
    }

    @Test("names what hinders once it has settled, with its cause, until it is over")
    func bluetoothProblem() {
        var narrator = Narrator()
        let name: (BluetoothAddress) -> DeviceTitle = { .init($0.description, isStrap: true) }
        _ = narrator.hear(
            .adapterStateChanged(AdapterChange(.poweredOff, .unknown)), at: 1_000, naming: name)
        #expect(narrator.bluetoothProblem == nil)
        let told = narrator.sentencesDue(at: 2_000, block: .software)
        #expect(told.first?.contains("rfkill unblock bluetooth") == true)
        #expect(narrator.bluetoothProblem == told.first)
        _ = narrator.hear(
            .adapterStateChanged(AdapterChange(.poweredOn, .unknown)), at: 9_000, naming: name)
        #expect(narrator.bluetoothProblem == nil)
    }

    @Test("a walk that nobody records is as long as it was when it was left, however late it is")
    func leftOpen() throws {
        var walk = try Walk.begun()
        try walk.beat([120, 121, 122, 123])
        walk.story.now += 600_000
        for (isRecording, milliseconds) in [(true, 604_000), (false, 4_000)] {
            let state = walk.story.state
            let scene = Scene(
                seeing: isRecording ? state : state.withoutRecorder(), isRecording: isRecording,
                hasCentral: false, at: walk.story.moment)
            #expect(scene.report?.activeMilliseconds == UInt64(milliseconds))
        }
    }
}
