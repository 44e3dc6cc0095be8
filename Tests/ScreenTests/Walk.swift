import Events
import Projections
import Testing
import TestSupport

@testable import Recording
@testable import Terminal

/// A walk that a test makes up, and the front that shows it.
struct Walk {
    var story = Story()
    var front = WalkFront(storeDirectory: "/home/walker/.local/share/pulselog")
    var phase = RecordingLife.Phase.settingUp
    /// What the walker was told that hinders a heart rate.
    var bluetoothProblem: String?
    /// What the walker was told that keeps everything from being recorded.
    var storageProblem: String?
    /// What could be used instead of the strap that is away.
    var substitute: SubstituteStrap?
    private var shown = 0
    private var session: Position?

    init() throws {
        try story.add(.profileChanged(Profile(heightMillimetres: 1_800, dailyGoalSteps: 8_000)))
        try story.add(
            .recorderStarted(
                RecorderStarted(programVersion: "1", zoneOffsetMinutes: 60, zoneName: "CET")))
        try story.pair("Strap One")
    }

    /// A walk whose session has begun, and is shown if `isShown`.
    static func begun(
        _ goal: Goal = Goal(), outAndBack: Bool = false, isShown: Bool = false
    ) throws -> Walk {
        var walk = try Walk()
        try walk.begin(goal, outAndBack: outAndBack)
        if isShown { walk.show() }
        return walk
    }

    /// Begins the session, with the strap linked.
    mutating func begin(_ goal: Goal = Goal(), outAndBack: Bool = false) throws {
        let profile = story.state.own.recorder.profile
        // Something counts steps, and has not been heard yet.
        try story.add(.devicePaired(DevicePaired(device: Story.pod, roles: .footPod)))
        try story.add(.primaryChosen(PrimaryChosen(role: .pedometer, device: Story.pod)))
        try story.add(
            .sessionStarted(
                SessionStarted(goal: goal, outAndBack: outAndBack, profile: profile)))
        session = story.state.head
        phase = .recording(session ?? 0)
        try story.add(.linkUp(LinkUp(device: Story.strap, attempt: 1)))
        try story.notify(.batteryLevel, [87])
    }

    /// A value each second.
    mutating func beat(_ values: [UInt8]) throws {
        for value in values {
            story.now += 1_000
            try story.notify(.heartRateMeasurement, [0x06, value])
            show()
        }
    }

    /// Shows what is new.
    mutating func show(_ news: Scene.News...) {
        let attempts = CentralAttempts(story.state)
        var scene = Scene(
            phase: phase, state: story.state, session: session, moment: story.moment,
            strap: StrapStatus(
                story.state, at: story.moment, attempts,
                isSearching: !story.state.own.devices.areOnlyPedometers))
        scene.events = Array(story.events[shown...])
        scene.news = news
        scene.bluetoothProblem = bluetoothProblem ?? scene.bluetoothProblem
        scene.storageProblem = storageProblem
        scene.substitute = substitute
        shown = story.events.count
        front.show(scene)
    }

    /// Shows what is new as a replay of it does.
    mutating func showAgain() {
        front.show(
            Scene(
                replaying: story.state, session: session, at: story.moment,
                events: Array(story.events[shown...])))
        shown = story.events.count
    }

    /// The screen as it would be seen.
    func lines(
        _ columns: Int = 80, _ rows: Int = 24, colored: Bool = false, unicode: Bool = true
    ) -> [String] {
        let look = Look(isColored: colored, hasUnicode: unicode, beats: false)
        let lines = front.lines(at: story.now, size: (columns, rows), look: look)
        var drawing = ScreenDrawing()
        var glass = Glass(columns: columns, rows: rows)
        glass.write(drawing.drawing(lines, size: (columns, rows)))
        #expect(glass.complaints.isEmpty)
        return glass.lines
    }
}

extension WalkFront {
    /// Presses a key, a second after the last one, and none soon after it.
    mutating func press(_ key: Key) -> Request? {
        press(key, at: pressedAt + 1_000) ?? takeAnswer(at: pressedAt + 100)
    }
}
