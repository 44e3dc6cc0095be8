import BluetoothCentral
import Events
import Testing

@testable import Words
import Text

/// What is said while there can be no links at all, and what is taken back when it is over.
@Suite("Narrator in trouble")
struct NarratorTroubleTests {
    /// What is heard when something ends that all links hang on, each after so many milliseconds,
    /// and words of the one sentence that is told of it.
    static let troubles: [(String, [(UInt64, CentralReport)], String)] = [
        (
            "power off",
            [
                (0, NarratorTests.connecting),
                (71, adapter(.poweredOff, .switched)),
                (97, failed("Failed", "Input/output error")), (832, lost(.adapterLost)),
            ], "bluetoothctl power on"
        ),
        (
            "power off, of which nothing else is known",
            [(71, adapter(.poweredOff, .switched)), (929, lost(.unknown))],
            "bluetoothctl power on"
        ),
        (
            "power off after the loss",
            [(1_000, lost(.unknown)), (5_000, adapter(.poweredOff, .switched))],
            "bluetoothctl power on"
        ),
        (
            "bluetoothd stopped",
            [
                (109, adapter(.poweredOff, .switched)), (339, adapter(.resetting, .adapterGone)),
                (38, adapter(.resetting, .daemonGone)), (0, lost(.daemonLost)),
            ], "systemctl start bluetooth"
        ),
        (
            "bluetoothd killed", [(0, lost(.daemonLost)), (0, adapter(.resetting, .daemonGone))],
            "systemctl start bluetooth"
        ),
        (
            "unplugged",
            [
                (71, adapter(.poweredOff, .switched)), (426, adapter(.resetting, .adapterGone)),
                (574, lost(.adapterLost)), (2_426, adapter(.unsupported, .adapterGone)),
            ], "plugged in?"
        ),
    ]

    private static func lost(_ cause: LinkLossCause) -> CentralReport {
        .linkLost(NarratorTests.address, LinkLoss(cause))
    }

    private static func failed(_ name: String, _ message: String) -> CentralReport {
        let failure = CallFailure(name: "org.bluez.Error." + name, message: message)
        return .connectFailed(NarratorTests.address, failure, nextAttemptMilliseconds: 250)
    }

    @Test(
        "says one sentence of one trouble, and takes it back when it is over", arguments: troubles)
    func trouble(name: String, reports: [(UInt64, CentralReport)], words: String) {
        var listener = NarratorTests.Listener()
        _ = listener.hear(NarratorTests.connecting)
        _ = listener.hear(NarratorTests.linkUp)
        _ = listener.narrator.takeWithdrawn()
        var told: [String] = []
        func wait(_ milliseconds: UInt64) {
            for _ in 0..<milliseconds {
                listener.now += 1
                told += listener.narrator.sentencesDue(at: listener.now)
            }
        }
        for (pause, report) in reports {
            wait(pause)
            if let sentence = listener.hear(report) { told.append(sentence) }
        }
        wait(30_000)
        #expect(told.count == 1)
        #expect(told.first?.contains(words) == true, "\(told)")
        #expect(listener.narrator.takeWithdrawn().isEmpty)
        let back = listener.hear(adapter(.poweredOn, .switched))
        #expect(back == "Bluetooth is back; continuing.")
        #expect(listener.narrator.takeWithdrawn() == told)
        #expect(listener.hear(NarratorTests.linkUp) == nil)
        #expect(listener.narrator.takeWithdrawn() == [back])
    }

    @Test("takes back that there is no bus when it is back, though Bluetooth is away still")
    func busIsBack() {
        var listener = NarratorTests.Listener()
        let noBus = CentralReport.busUnavailable(
            CallFailure(name: "org.freedesktop.DBus.Error.FileNotFound", message: "No such file"),
            nextAttemptMilliseconds: 1_000)
        var told: String?
        for _ in 1...2 {
            #expect(listener.hear(adapter(.resetting, .busClosed)) == nil)
            told = listener.hear(noBus)
            #expect(told?.contains("`pulselog doctor`") == true)
            listener.now += 60_000
            #expect(listener.narrator.sentencesDue(at: listener.now).isEmpty)
            #expect(listener.narrator.takeWithdrawn().isEmpty)
            #expect(listener.hear(adapter(.resetting, .daemonGone)) == nil)
            #expect(listener.narrator.takeWithdrawn() == [told])
        }
        listener.now += Narrator.troubleMilliseconds
        let due = listener.narrator.sentencesDue(at: listener.now)
        #expect(due.map { $0.contains("systemctl start bluetooth") } == [true])
        _ = listener.hear(adapter(.poweredOn, .switched))
        #expect(listener.narrator.takeWithdrawn() == due)
    }

    @Test("says nothing of an adapter that is away for less than a second")
    func flicker() {
        var listener = NarratorTests.Listener()
        for _ in 0..<5 {
            #expect(listener.hear(adapter(.poweredOff, .switched)) == nil)
            listener.now += 999
            #expect(listener.narrator.sentencesDue(at: listener.now).isEmpty)
            #expect(listener.hear(adapter(.poweredOn, .switched)) == nil)
            listener.now += 1
        }
    }

    @Test(
        "says what blocks an adapter that is off, while it does",
        arguments: [
            (RadioBlock.software, "rfkill unblock bluetooth"),
            (.hardware, "A hardware switch"),
        ])
    func blocked(block: RadioBlock, words: String) {
        var listener = NarratorTests.Listener()
        _ = listener.hear(adapter(.poweredOff, .switched))
        let due = listener.narrator.sentencesDue(
            at: listener.now + 1_000, block: block)
        #expect(due.map { $0.contains(words) } == [true])
        #expect(wrapped("pulselog: " + (due.first ?? ""), to: 79).count <= 2)
    }

    @Test("a first start without Bluetooth is one sentence: nothing is looked for until it works")
    func firstStart() {
        var listener = NarratorTests.Listener()
        listener.narrator.begin()
        #expect(listener.hear(adapter(.unsupported, .switched)) == nil)
        listener.now += 1_000
        let due = listener.narrator.sentencesDue(at: listener.now)
        #expect(due.map { $0.hasSuffix("can be heard. See `pulselog doctor`.") } == [true])
        #expect(listener.narrator.takeWithdrawn().isEmpty)
        #expect(listener.hear(adapter(.poweredOn, .switched))?.contains("back") == true)
    }

    @Test("takes back what was said of a link when it stands, of a silence when a value comes")
    func withdrawal() {
        var listener = NarratorTests.Listener()
        listener.narrator.begin()
        let begin = listener.hear(adapter(.poweredOn, .switched))
        let connecting = listener.hear(
            NarratorTests.connecting)
        let away = listener.hear(Self.failed("Failed", "le-connection-abort-by-local"))
        #expect(listener.narrator.takeWithdrawn().isEmpty)
        _ = listener.hear(NarratorTests.linkUp)
        #expect(Set(listener.narrator.takeWithdrawn()) == Set([begin, connecting, away]))
        let silent = listener.hear(
            .silent(NarratorTests.address, .heartRateMeasurement, forMilliseconds: 5_000))
        #expect(silent != nil)
        _ = listener.heartRate([0, 60])
        #expect(listener.narrator.takeWithdrawn() == [silent])
        _ = listener.hear(Self.lost(.unknown))
        listener.now += 10_001
        let lost = listener.narrator.sentencesDue(at: listener.now)
        #expect(lost.count == 1)
        #expect(listener.narrator.takeWithdrawn().isEmpty)
        _ = listener.hear(NarratorTests.linkUp)
        #expect(listener.narrator.takeWithdrawn() == lost)
    }
}
