import BluetoothCentral
import Events
import Testing

@testable import Words
import Text

/// What a walker hears of each report: what happened, what is done about it, what can be done.
@Suite("Sentences")
struct SentenceTests {
    static let strap = BluetoothAddress(0xC400_0000_0001)

    /// A report and words of its sentence; no words for a report that says nothing.
    struct Vector: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let report: CentralReport
        let words: [String]

        init(_ name: String, _ report: CentralReport, _ words: String...) {
            testDescription = name
            (self.report, self.words) = (report, words)
        }
    }

    static let vectors = [
        Vector("unknown adapter", adapter(.unknown)),
        Vector("powered on", adapter(.poweredOn)),
        Vector("resetting", adapter(.resetting), "daemon is not running", "waiting"),
        Vector("unsupported", adapter(.unsupported), "no Bluetooth", "`pulselog doctor`"),
        Vector("unauthorized", adapter(.unauthorized), "denies", "Run as"),
        Vector("powered off", adapter(.poweredOff), "off", "bluetoothctl power on"),
        Vector(
            "no bus",
            .busUnavailable(
                CallFailure(
                    name: "org.freedesktop.DBus.Error.FileNotFound",
                    message: "Failed to connect to socket /run/bus: No such file or directory"),
                nextAttemptMilliseconds: 1_000),
            "(No such file or directory)", "no strap or watch is heard", "pulselog doctor"),
        Vector("seen", .deviceSeen(DeviceSighting(address: strap))),
        Vector(
            "first attempt", .connecting(DeviceSighting(address: strap), attempt: 1),
            "Connecting to Strap One"),
        Vector("later attempt", .connecting(DeviceSighting(address: strap), attempt: 2)),
        Vector("link up", .linkUp(DeviceSighting(address: strap))),
        Vector("services", .servicesFound(DeviceSighting(address: strap))),
        Vector("link down", .linkDown(strap)),
        Vector("adapter gone", adapter(.resetting, .adapterGone), "was removed", "plugged in?"),
        Vector("bus closed", adapter(.resetting, .busClosed), "system bus is gone", "start dbus`"),
        Vector("lost", .linkLost(strap, LinkLoss()), "was lost;", "connecting again", "closer"),
        Vector("lost, timeout", .linkLost(strap, LinkLoss(.timeout)), "(out of range)"),
        Vector("lost, remote", .linkLost(strap, LinkLoss(.remote)), "ended it"),
        Vector("lost, key", .linkLost(strap, LinkLoss(.authentication)), "key", "pair it again"),
        Vector("lost, suspend", .linkLost(strap, LinkLoss(.suspended)), "slept"),
        Vector("lost by us", .linkLost(strap, LinkLoss(.requested))),
        Vector("lost with daemon", .linkLost(strap, LinkLoss(.daemonLost))),
        Vector("lost with adapter", .linkLost(strap, LinkLoss(.adapterLost))),
        Vector(
            "lost, other",
            .linkLost(strap, LinkLoss(.unknown, reason: "org.bluez.Reason.Unknown: \u{1B}[2J")),
            "was lost;", "moisten"),
        Vector(
            "lost, local",
            .linkLost(strap, LinkLoss(reason: "org.bluez.Reason.Local: by this host")),
            "was lost;", "Come closer", "close other programs"),
        Vector(
            "value cut", .valueCut(strap, .heartRateMeasurement, fullByteCount: 600, []),
            "600 bytes", "512 are kept"),
        Vector(
            "no measurement", .measurementMissing(strap, .heartRateMeasurement), "heart rate",
            "next link"),
        Vector("subscribed", .subscribed(strap, .heartRateMeasurement)),
        Vector(
            "silent", .silent(strap, .heartRateMeasurement, forMilliseconds: 30_000),
            "nothing for 30 s", "subscribing again", "skin"),
        Vector(
            "services", .servicesUnresolved(strap), "does not get its services",
            "bluetoothctl remove C4:"),
        Vector("value", .valueNotified(strap, .heartRateMeasurement, [0, 60])),
        Vector("detail", .valueRead(strap, .batteryLevel, [60])),
        Vector(
            "detail refused",
            .readFailed(strap, .batteryLevel, CallFailure(name: "x", message: "")),
            "battery level", "recording continues"),
    ]

    @Test("G6: of positions that do not come fit a strip, and set-up knows of no time that goes on")
    func positions() {
        for lack in PositionLack.allCases {
            let told = lack.sentence(since: "9", error: "80", most: "50", isWalking: false)
            #expect(!told.contains("time goes on"))
            #expect(lack.short.hasPrefix("GPS") == ![.unplugged, .gone, .phone].contains(lack))
        }
    }

    @Test("of a report name what happened and what to do", arguments: vectors)
    func reports(_ vector: Vector) {
        check(vector.report, vector.words)
    }

    /// BlueZ's errors as measured, and the cause that each stands for.
    static let failures: [(name: String, message: String, cause: FailureCause)] = [
        ("org.bluez.Error.Failed", "le-connection-abort-by-local", .noAnswer),
        ("org.bluez.Error.Failed", "Software caused connection abort", .noAnswer),
        ("org.bluez.Error.Failed", "connected, but there is no link", .noAnswer),
        ("org.bluez.Error.Failed", "br-connection-canceled", .calledOff),
        ("org.bluez.Error.Failed", "Operation already in progress", .taken),
        ("org.bluez.Error.InProgress", "Operation already in progress", .taken),
        ("org.bluez.Error.NotPermitted", "Notify acquired", .taken),
        ("org.bluez.Error.NotPermitted", "Not paired", .wantsPairing),
        ("org.bluez.Error.AuthenticationFailed", "Authentication Failed", .wantsPairing),
        ("org.bluez.Error.Failed", "Operation failed with ATT error: 0x0f", .wantsPairing),
        ("org.bluez.Error.Failed", "Operation failed with ATT error: 0x0e", .wantsPairing),
        ("org.bluez.Error.Failed", "Operation failed with ATT error: 0x0a", .staleServices),
        ("org.bluez.Error.Failed", "Operation failed with ATT error: 0x01", .staleServices),
        ("org.bluez.Error.Failed", "Operation failed with ATT error: 0x80", .refused),
        ("org.pulselog.Error.Blocked", "Device1.Blocked is set", .blocked),
        ("org.bluez.Error.Failed", "Input/output error", .adapterOff),
        ("org.bluez.Error.NotReady", "Resource Not Ready", .adapterOff),
        ("org.freedesktop.DBus.Error.UnknownObject", "Method \"Connect\" …", .vanished),
        ("org.freedesktop.DBus.Error.AccessDenied", "Rejected send message", .denied),
        ("org.freedesktop.DBus.Error.ServiceUnknown", "The name is not activatable", .daemonAway),
        ("org.freedesktop.DBus.Error.Disconnected", "the bus is gone", .busAway),
        ("org.freedesktop.DBus.Error.NoReply", "no answer in 60000 ms", .daemonSilent),
        ("org.bluez.Error.Failed", "something new\u{1B}[2J", .other),
    ]

    @Test("know every error that BlueZ was seen to give", arguments: failures)
    func errors(name: String, message: String, cause: FailureCause) {
        let failure = CallFailure(name: name, message: message)
        #expect(FailureCause(failure) == cause)
        for pause: UInt64 in [0, 250, 4_000] {
            let again = pause < 1_000 ? "at once" : "in 4 s"
            let others = [FailureCause.vanished: "looking for it", .blocked: "waiting for it"]
            let isAgain = others[cause] ?? again
            check(.connectFailed(Self.strap, failure, nextAttemptMilliseconds: pause), [isAgain])
            check(
                .subscribeFailed(
                    Self.strap, .heartRateMeasurement, failure, nextAttemptMilliseconds: pause),
                [isAgain])
        }
    }

    @Test("speak of moisture only to a chest strap")
    func moisture() {
        let reports =
            LinkLossCause.allCases.map { CentralReport.linkLost(Self.strap, LinkLoss($0)) }
            + Self.failures.map { name, message, _ in
                .connectFailed(
                    Self.strap, CallFailure(name: name, message: message),
                    nextAttemptMilliseconds: 0)
            }
        func moist(_ title: DeviceTitle) -> Int {
            reports.count { $0.sentence { _ in title }?.contains("oist") == true }
        }
        #expect(moist(DeviceTitle("Strap", .heart)) == 6)
        #expect(moist(DeviceTitle("Strap", .heart, bodyLocation: 1)) == 6)
        for title in [
            DeviceTitle("Band", .heart, bodyLocation: 2), DeviceTitle("Pod", .footPod),
            DeviceTitle("Watch", [.heart, .watch]), DeviceTitle("Stranger", []),
        ] {
            #expect(moist(title) == 0)
            for report in reports {
                #expect(report.sentence { _ in title }?.contains("strap") != true)
            }
        }
    }

    @Test("cover every cause of a failure")
    func everyCause() {
        #expect(Set(Self.failures.map(\.cause)) == Set(FailureCause.allCases))
    }

    @Test(
        "are said of each intake finding, and again of what may have held a reading",
        arguments: IntakeFinding.allCases)
    func findings(_ finding: IntakeFinding) {
        check(.intakeFinding(finding, count: 1), ["."])
        check(.intakeFinding(finding, count: 2), finding == .droppedMessage ? ["."] : [])
    }

    /// Two sentences at most, on two lines of 80 columns, without a character that acts.
    private func check(_ report: CentralReport, _ words: [String]) {
        let sentence = report.sentence { _ in DeviceTitle("Strap One", isStrap: true) }
        #expect((sentence == nil) == words.isEmpty)
        guard let sentence else { return }
        for word in words { #expect(sentence.contains(word), "\(sentence)") }
        #expect(wrapped("pulselog: " + sentence, to: 79).count <= 2, "\(sentence)")
        #expect(sentence.last == "." || sentence.last == "?")
        #expect(sentence.split(separator: ". ").count <= 2, "\(sentence)")
        #expect(!sentence.contains("in 0 s"))
        #expect(!sentence.contains("org.bluez"), "\(sentence)")
        #expect(sentence.unicodeScalars.allSatisfy { $0.value >= 0x20 })
    }
}
