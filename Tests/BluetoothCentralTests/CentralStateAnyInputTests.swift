import TestSelection
import TestSupport
import Testing

@testable import BluetoothCentral

/// Whatever comes in, in whatever order, also what no BlueZ would say: one `Connect` at a time, a
/// bounded number of calls, and no deadline that has passed.
@Suite("Central state under any input", .timeLimit(.minutes(5)))
struct CentralStateAnyInputTests {
    /// What can come in.
    ///
    /// Answers go to the oldest call that has none, or from the next turn on to the newest.
    enum Step: CaseIterable {
        case appear, vanish, loseBus
        case answerDone, answerObjects, answerBytes, answerNothing
        case refuse, refuseBusy, refuseGone, refuseDenied, refuseInProgress
        case addAdapter, powerOff, powerOn, removeAdapter
        case addDevice, connect, disconnect, explain, resolve, unresolve, removeDevice
        case addMeasurement, value, removeMeasurement
        case deadline, minute, turn
        case want, pause, wantNothing, scan
    }

    private static let connecting: [Step] = [
        .want, .appear, .answerObjects, .answerDone, .addDevice, .answerDone,
    ]
    private static let linked =
        connecting + [.connect, .answerDone, .addMeasurement, .resolve, .answerDone, .value]

    /// The states from which all short sequences start.
    static let beginnings: [[Step]] = [
        [],
        [.want, .appear, .answerObjects],
        connecting,
        linked,
    ]

    @Test("is led to an attempt and to values by the beginnings")
    func beginningsLeadThere() {
        var world = AnyWorld()
        for step in Self.connecting { world.take(step) }
        #expect(world.lastCall == .connect(device: Script.device))
        for step in Self.linked.dropFirst(Self.connecting.count) { world.take(step) }
        #expect(world.lastReport == .valueNotified(Script.strap, .heartRateMeasurement, [0, 60]))
    }

    @Test("keeps its promises after every three inputs", .slow, arguments: beginnings)
    func exhaustive(_ beginning: [Step]) {
        var start = AnyWorld()
        for step in beginning { start.take(step) }
        for first in Step.allCases {
            var afterFirst = start
            afterFirst.take(first)
            for second in Step.allCases {
                var afterSecond = afterFirst
                afterSecond.take(second)
                for third in Step.allCases {
                    var world = afterSecond
                    world.take(third)
                    if let complaint = world.complaint {
                        let steps = beginning + [first, second, third]
                        Issue.record("\(complaint) after \(steps)")
                        return
                    }
                }
            }
        }
    }

    @Test("keeps its promises in long random sequences", arguments: sample(1...40, 6))
    func random(_ seed: Int) {
        var random = SeededGenerator(seed: UInt64(seed))
        var world = AnyWorld()
        for number in 0..<2_000 {
            guard let step = Step.allCases.randomElement(using: &random) else { continue }
            world.take(step)
            if let complaint = world.complaint {
                Issue.record("\(complaint) with seed \(seed) at step \(number)")
                return
            }
        }
    }
}

/// A state machine, the calls it waits for, and a clock; no rule of how BlueZ behaves.
private struct AnyWorld {
    private var state = CentralState()
    private var now: UInt64 = 0
    private var open: [(id: CallID, call: CentralCall)] = []
    private var answersNewest = false
    private(set) var complaint: String?
    private(set) var lastReport: CentralReport?
    private var linkReports = LinkReports()
    var lastCall: CentralCall? { open.last?.call }

    mutating func take(_ step: CentralStateAnyInputTests.Step) {
        switch step {
        case .appear: feed(.serviceAppeared)
        case .vanish: feed(.serviceVanished)
        case .loseBus: feed(.busVanished)
        case .answerDone: answer(.done)
        case .answerObjects: answer(.objects([Script.poweredAdapter]))
        case .answerBytes: answer(.bytes([1]))
        case .answerNothing: answer(.timedOut)
        case .refuse: refuse("org.bluez.Error.Failed")
        case .refuseBusy: refuse("org.bluez.Error.Failed", "Operation already in progress")
        case .refuseGone: refuse("org.freedesktop.DBus.Error.UnknownObject")
        case .refuseDenied: refuse("org.freedesktop.DBus.Error.AccessDenied")
        case .refuseInProgress: refuse("org.bluez.Error.InProgress")
        case .addAdapter: feed(.objectAdded(Script.poweredAdapter))
        case .powerOff: power(false)
        case .powerOn: power(true)
        case .removeAdapter: feed(.objectRemoved(path: Script.adapter, .adapter))
        case .addDevice: feed(.objectAdded(Script.knownStrap))
        case .connect: change(.connected(true))
        case .disconnect: change(.connected(false))
        case .explain:
            feed(
                .disconnected(
                    path: Script.device, name: "org.bluez.Reason.Timeout", message: ""))
        case .resolve: change(.resolved(true))
        case .unresolve: change(.resolved(false))
        case .removeDevice: feed(.objectRemoved(path: Script.device, .device))
        case .addMeasurement: feed(.objectAdded(Script.characteristics[0]))
        case .value: feed(.valueSignalled(path: Script.measurement, [0, 60]))
        case .removeMeasurement:
            feed(.objectRemoved(path: Script.measurement, .characteristic))
        case .turn: answersNewest.toggle()
        case .deadline: pass(to: state.nextDeadlineMilliseconds ?? now)
        case .minute: pass(to: now + 60_000)
        case .want: feed(.desireChanged(MoodyWorld.wanted))
        case .pause:
            feed(
                .desireChanged(
                    CentralDesire(
                        devices: [WantedDevice(address: Script.strap, measurements: [])])))
        case .wantNothing: feed(.desireChanged(CentralDesire()))
        case .scan: feed(.desireChanged(CentralDesire(scanning: .services([.heartRate]))))
        }
    }

    private mutating func power(_ isPowered: Bool) {
        feed(.objectChanged(LocatedObject(path: Script.adapter, .adapter, [.powered(isPowered)])))
    }

    private mutating func change(_ property: BluezProperty) {
        feed(.objectChanged(LocatedObject(path: Script.device, .device, [property])))
    }

    private mutating func pass(to time: UInt64) {
        now = max(now, time)
        feed(.timePassed)
    }

    private mutating func answer(_ answer: CallAnswer) {
        guard !open.isEmpty else { return }
        feed(.answered(open.remove(at: answersNewest ? open.count - 1 : 0).id, answer))
    }

    private mutating func refuse(_ name: String, _ message: String = "") {
        answer(.failed(CallFailure(name: name, message: message)))
    }

    private mutating func feed(_ input: CentralInput) {
        if input == .serviceVanished || input == .busVanished { open = [] }
        let actions = state.handle(input, atMilliseconds: now)
        for action in actions {
            switch action {
            case .call(_, .registerAgent): break
            case .call(let id, let call): open.append((id, call))
            case .report(let report):
                lastReport = report
                if !linkReports.take(report) { complaint = "\(report) out of order" }
            }
        }
        let connects = open.filter { if case .connect = $0.call { true } else { false } }
        if connects.count > 1 { complaint = "\(connects.count) attempts at once" }
        if actions.count > 20 { complaint = "\(actions.count) actions at once" }
        if let deadline = state.nextDeadlineMilliseconds, deadline <= now {
            complaint = "a deadline that has passed"
        }
    }
}

/// What is told of one link: up, down, why; and again.
private struct LinkReports {
    private enum Last { case up, down, lost }
    private var last = Last.lost

    /// Returns whether the report may follow on those before it.
    mutating func take(_ report: CentralReport) -> Bool {
        let before = last
        switch report {
        case .linkUp: last = .up
        case .linkDown: last = .down
        case .linkLost: last = .lost
        default: return true
        }
        switch last {
        case .up: return before == .lost
        case .down: return before == .up
        case .lost: return before == .down
        }
    }
}
