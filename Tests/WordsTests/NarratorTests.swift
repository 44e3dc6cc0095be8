import BluetoothCentral
import Events
import Projections
import TestSupport
import Testing
import Text

@testable import Words

/// What is said of a recording, and what is left unsaid.
@Suite("Narrator")
struct NarratorTests {
    static let strap = DeviceID(address: 0xC400_0000_0001, space: .random)
    static let address = BluetoothAddress(strap.address)
    static let linkUp = CentralReport.linkUp(DeviceSighting(address: address))
    static let connecting = CentralReport.connecting(DeviceSighting(address: address), attempt: 1)
    static let failed = CentralReport.connectFailed(
        address,
        CallFailure(name: "org.bluez.Error.Failed", message: "le-connection-abort-by-local"),
        nextAttemptMilliseconds: 250)

    /// A narrator, and a clock that is set.
    struct Listener {
        var narrator = Narrator(graceMilliseconds: 10_000)
        var now: UInt64 = 100_000
        var state = LogState()
        static let title = DeviceTitle("Strap One", isStrap: true)

        mutating func hear(_ report: CentralReport) -> String? {
            narrator.hear(report, at: now) { _ in Self.title }
        }

        mutating func hear(_ event: Event) -> String? {
            let stamp = Stamp(bootMilliseconds: now, wallMilliseconds: 0, bootNumber: 0)
            let recorded = RecordedEvent(event, at: 0, stamp)
            return narrator.hear(recorded, in: state) { _ in Self.title }
        }

        mutating func battery(_ percent: UInt8) -> String? {
            hear(
                .characteristicRead(
                    CharacteristicRead(
                        device: NarratorTests.strap, characteristic: .batteryLevel,
                        value: [percent])))
        }

        mutating func heartRate(_ value: [UInt8]) -> String? {
            hear(.notified(NarratorTests.strap, value))
        }
    }

    @Test("greets with no number that nobody's heart has")
    func noReading() {
        for value in [[0, 255], [1, 255, 255], [0, 19], [1, 45, 1]] as [[UInt8]] {
            var listener = Listener()
            _ = listener.hear(.linkUp(LinkUp(device: Self.strap)))
            listener.now += 3_000
            #expect(
                listener.heartRate(value) == "Strap One is connected: no heart rate yet.",
                "\(value)")
        }
    }

    @Test("names a strap whose beats come without contact, once, with what counts them")
    func contactNeverSet() throws {
        var story = Story()
        try story.pair("Strap One")
        var narrator = Narrator()
        var told: [String] = []
        for index in 0..<30 {
            story.now += 1_000
            if index == 20 {
                try story.add(.contactChosen(ContactChosen(device: Self.strap, ignored: true)))
            } else {
                try story.notify(.heartRateMeasurement, [0x14, 80, 0, 3])
            }
            let event = try #require(story.events.last)
            let sentence = narrator.hear(event, in: story.state) { _ in Listener.title }
            if let sentence { told.append("\(index): \(sentence)") }
        }
        #expect(
            told == [
                "9: Strap One measures beats but never reports contact, so its values do not "
                    + "count. Wear it and moisten it; if that changes nothing, `pulselog devices "
                    + "contact ignore C4:00:00:00:00:01` counts them from then on.",
                "20: Values of Strap One now count whatever contact it reports.",
            ])
    }

    @Test("says nothing of a lost link within the grace, nor if it comes back")
    func grace() throws {
        var listener = Listener()
        let lost = CentralReport.linkLost(Self.address, LinkLoss(.timeout))
        #expect(listener.hear(lost) == nil)
        #expect(listener.hear(Self.failed) == nil)
        #expect(listener.narrator.sentencesDue(at: 110_000).isEmpty)
        let due = listener.narrator.sentencesDue(at: 110_001)
        #expect(due.count == 1)
        #expect(try #require(due.first).contains("Strap One was lost (out of range)"))
        #expect(listener.narrator.sentencesDue(at: 110_002).isEmpty)
        #expect(listener.hear(Self.linkUp) != nil)
        #expect(listener.hear(lost) == nil)
        #expect(listener.hear(Self.linkUp) == nil)
        #expect(listener.narrator.sentencesDue(at: 200_000).isEmpty)
    }

    @Test("says the same thing again only after ten minutes")
    func repetition() {
        var listener = Listener()
        #expect(listener.hear(Self.failed) != nil)
        listener.now += Narrator.repeatMilliseconds - 1
        #expect(listener.hear(Self.failed) == nil)
        let denied = CallFailure(
            name: "org.freedesktop.DBus.Error.AccessDenied", message: "")
        #expect(
            listener.hear(
                .connectFailed(Self.address, denied, nextAttemptMilliseconds: 0)) != nil)
        listener.now += 1
        #expect(listener.hear(Self.failed) != nil)
    }

    @Test("says once that it connects, and that Bluetooth is back")
    func once() {
        var listener = Listener()
        #expect(listener.hear(adapter(.poweredOn)) == nil)
        #expect(listener.hear(Self.connecting) != nil)
        #expect(listener.hear(Self.connecting) == nil)
        for _ in 1...2 {
            #expect(listener.hear(adapter(.poweredOff)) == nil)
            listener.now += 1_000
            let due = listener.narrator.sentencesDue(at: listener.now)
            #expect(due.map { $0.contains("bluetoothctl power on") } == [true])
            #expect(listener.narrator.sentencesDue(at: listener.now).isEmpty)
            #expect(listener.hear(adapter(.poweredOn))?.contains("is back") == true)
            listener.now += 1_000
        }
    }

    @Test("greets a strap with heart rate, contact and battery, once")
    func greeting() {
        var listener = Listener()
        let up = Event.linkUp(LinkUp(device: Self.strap, attempt: 1))
        #expect(listener.hear(up) == nil)
        #expect(listener.heartRate([0x06, 72]) == nil)
        #expect(
            listener.battery(87) == "Strap One is connected: 72 BPM, contact, battery 87 %.")
        #expect(listener.hear(up) == nil)
        #expect(listener.heartRate([0x06, 73]) == nil)
        #expect(listener.battery(87) == nil)
    }

    @Test("greets a strap that tells no battery after three seconds, and one without contact")
    func poorGreeting() {
        var listener = Listener()
        _ = listener.hear(Event.linkUp(LinkUp(device: Self.strap, attempt: 1)))
        listener.now += 1_000
        #expect(listener.heartRate([0x04, 0]) == nil)
        listener.now += 2_000
        #expect(
            listener.heartRate([0x04, 0])
                == "Strap One is connected: no heart rate yet, no contact: moisten it.")
    }

    @Test("warns of a low battery at 20 % and at 10 %, once in each fall")
    func battery() {
        var listener = Listener()
        let fall: [UInt8] = [100, 21, 20, 20, 21, 19, 11, 10, 9, 10, 11, 1]
        let warned = fall.filter { listener.battery($0) != nil }
        #expect(warned == [20, 10])
        // A new battery, and another fall; a byte that is no percentage says nothing.
        #expect([100, 255, 15, 14, 5].filter { listener.battery($0) != nil } == [15, 5])
    }

    @Test("warns of a low battery of a device that gives no heart rate, when none is to come")
    func footPodBattery() {
        var listener = Listener()
        let read = Event.pedometerRead(PedometerRead(device: Self.strap, reading: .counter(1)))
        _ = listener.hear(Event.linkUp(LinkUp(device: Self.strap, attempt: 1)))
        #expect(listener.battery(5) == nil)
        listener.now += Narrator.greetingMilliseconds - 1
        #expect(listener.hear(read) == nil)
        listener.now += 1
        #expect(listener.hear(read)?.contains("The battery of Strap One is at 5 %") == true)
        #expect(listener.hear(read) == nil)
    }

    @Test("says nothing of a charge that is no percentage", arguments: [101, 255] as [UInt8])
    func strangeBattery(percent: UInt8) {
        var listener = Listener()
        _ = listener.hear(Event.linkUp(LinkUp(device: Self.strap, attempt: 1)))
        #expect(listener.battery(percent) == nil)
        #expect(listener.heartRate([0x06, 72]) == nil)
        listener.now += Narrator.greetingMilliseconds
        #expect(listener.heartRate([0x06, 72]) == "Strap One is connected: 72 BPM, contact.")
    }

    @Test("explains values that come several times, and their end")
    func multiplied() {
        var listener = Listener()
        let twice = listener.hear(
            Event.deliveryMultiplied(DeliveryMultiplied(device: Self.strap, factor: 2)))
        #expect(twice?.contains("arrives twice, and is counted once") == true)
        let thrice = listener.hear(
            Event.deliveryMultiplied(DeliveryMultiplied(device: Self.strap, factor: 3)))
        #expect(thrice?.contains("3 times") == true)
        let over = listener.hear(
            Event.deliveryMultiplied(DeliveryMultiplied(device: Self.strap, factor: 1)))
        #expect(over?.contains("gone") == true)
        for sentence in [twice, thrice, over] {
            #expect(wrapped("pulselog: " + (sentence ?? ""), to: 79).count <= 2)
        }
    }

    @Test("says that a device that was forgotten is left alone")
    func forgotten() {
        var listener = Listener()
        let forgotten = Event.deviceForgotten(DeviceForgotten(device: Self.strap))
        #expect(
            listener.hear(forgotten)
                == "Strap One was forgotten; this recording no longer uses it.")
    }

    @Test("says of which walk a strap is left out")
    func excluded() throws {
        var listener = Listener()
        func exclude(_ isExcluded: Bool) -> Event {
            .deviceExcluded(
                DeviceExcluded(session: 0, device: Self.strap, excluded: isExcluded))
        }
        #expect(
            listener.hear(exclude(true))
                == "Values of Strap One are left out of an earlier walk.")
        let start = Event.sessionStarted(SessionStarted())
        let stamp = Stamp(bootMilliseconds: listener.now, wallMilliseconds: 0, bootNumber: 0)
        _ = try RecordedEvent(start, at: 0, stamp).withView { listener.state.evolve($0) }
        #expect(listener.hear(exclude(false)) == "Values of Strap One are part of this walk again.")
    }

    @Test("says how many positions of a flood were left out", arguments: [1, 34] as [UInt64])
    func fixFlood(_ count: UInt64) {
        var listener = Listener()
        let lost = Event.intakeOverflowed(IntakeOverflowed(intake: .place, lostEvents: count))
        #expect(
            listener.hear(lost)
                == "Positions arrive faster than any receiver sends them: \(count) "
                + "\(count == 1 ? "was" : "were") left out, and one a second is recorded. "
                + "Check what sends them.")
    }

    @Test("S11: tells when to turn around, and that the goal is reached")
    func goals() {
        var listener = Listener()
        let goal = Goal(kind: .steps, target: 6_000)
        let turn = listener.hear(.turnAroundReached(goal))
        #expect(turn?.contains("turn around") == true)
        #expect(turn?.contains("6,000 steps") == true)
        let reached = listener.hear(.goalReached(goal))
        #expect(reached?.hasPrefix("Goal reached: 6,000 steps.") == true)
    }

    @Test("tells of lost inputs once in ten minutes")
    func overflow() {
        var listener = Listener()
        let overflow = Event.intakeOverflowed(IntakeOverflowed(intake: .queue, lostEvents: 1_200))
        #expect(listener.hear(overflow)?.contains("1,200 inputs lost") == true)
        listener.now += 1_000
        #expect(listener.hear(overflow) == nil)
        // A message that was dropped makes a report and an event: one of them is told.
        #expect(listener.hear(.intakeFinding(.droppedMessage, count: 1)) != nil)
        listener.now += Narrator.repeatMilliseconds
        #expect(listener.hear(.intakeFinding(.droppedMessage, count: 2)) != nil)
        let dropped = Event.intakeOverflowed(IntakeOverflowed(intake: .bus, lostEvents: 1))
        #expect(listener.hear(dropped) == nil)
    }

    /// Makes and loses links that hold for so long, with a gap longer than the grace after each.
    ///
    /// - Returns: What is said of them, and how many of these sentences are of links that break.
    private func lose(
        _ links: Int, after milliseconds: UInt64, _ listener: inout Listener,
        value: ((inout Listener) -> Void)? = nil
    ) -> [Int] {
        var told: [String] = []
        for _ in 0..<links {
            _ = listener.hear(Self.linkUp)
            value?(&listener)
            listener.now += milliseconds
            #expect(listener.hear(.linkLost(Self.address, LinkLoss())) == nil, "the grace")
            #expect(listener.narrator.sentencesDue(at: listener.now + 10_000).isEmpty)
            listener.now += 10_001
            told += listener.narrator.sentencesDue(at: listener.now)
        }
        return [told.count, told.filter { $0.contains("as soon as they are made") }.count]
    }

    @Test("says that links break, once and after the grace, when three in a row gave no value")
    func breaking() {
        var listener = Listener()
        #expect(lose(5, after: 9_999, &listener) == [3, 1])
        #expect(lose(5, after: 0, &listener) == [0, 0])
        _ = listener.heartRate([0, 60])
        listener.now += Narrator.repeatMilliseconds
        #expect(lose(5, after: 0, &listener) == [3, 1])
    }

    @Test("announces the end of a loss that it announced, and of no other")
    func lossOver() {
        var listener = Listener()
        let up = Self.linkUp
        for (seconds, end) in [
            (9, nil), (34, "Strap One is connected again after 0:34."),
        ] as [(UInt64, String?)] {
            _ = listener.hear(up)
            listener.now += 20_000
            _ = listener.hear(.linkLost(Self.address, LinkLoss(.timeout)))
            listener.now += seconds * 1_000
            let told = listener.narrator.sentencesDue(at: listener.now)
            #expect(told.count == (end == nil ? 0 : 1))
            #expect(listener.hear(up) == end)
            #expect(listener.hear(up) == nil)
        }
    }

    @Test("does not say it of links that held, nor of a pedometer's that gave a value")
    func holding() {
        var listener = Listener()
        #expect(lose(2, after: 0, &listener) == [2, 0])
        #expect(lose(1, after: 10_000, &listener) == [1, 0])
        #expect(lose(2, after: 0, &listener) == [2, 0])
        listener = Listener()
        let read = Event.pedometerRead(PedometerRead(device: Self.strap, reading: .counter(1)))
        let told = lose(5, after: 0, &listener) { _ = $0.hear(read) }
        #expect(told == [5, 0])
    }

    @Test("says once in ten minutes that there is no today, though each second asks")
    func noToday() {
        var narrator = Narrator()
        let seconds = stride(from: UInt64(0), to: Narrator.repeatMilliseconds, by: 1_000)
        let told = seconds.compactMap { narrator.hear(Refusal(.clockNotSet), at: $0) }
        #expect(told == [Refusal(.clockNotSet).description])
    }

    @Test("says after 30 s that no strap is heard")
    func unheard() {
        var narrator = Narrator(graceMilliseconds: 10_000)
        #expect(narrator.sentencesDue(at: 1_000, isScanning: true).isEmpty)
        #expect(narrator.sentencesDue(at: 30_999, isScanning: true).isEmpty)
        #expect(narrator.sentencesDue(at: 31_000, isScanning: true).count == 1)
        #expect(narrator.sentencesDue(at: 32_000, isScanning: true).isEmpty)
        #expect(narrator.sentencesDue(at: 700_000, isScanning: false).isEmpty)
        #expect(narrator.sentencesDue(at: 700_001, isScanning: true).isEmpty)
    }
}
