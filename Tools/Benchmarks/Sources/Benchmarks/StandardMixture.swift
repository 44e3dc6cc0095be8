import Events
import TestSupport

/// The input of all measures: the same events in every run and for both sides.
///
/// 70 % heart-rate values with 1 to 3 RR intervals (2 % of them with 16 bits of BPM, RR intervals
/// within 30 ticks around the rhythm), 25 % reads of a pedometer's counter, 4 % positions and 1 %
/// of what a walker and a recorder do: a session for each 3,600 events, pauses, links that are lost
/// and come back, reconciliations. Times are uniform, 0.7 s apart on average.
struct StandardMixture: Sendable {
    /// From one start of a session to the next.
    static let sessionEvents = 3_600
    /// The most that two events are apart.
    private static let gapMilliseconds = 1_400
    /// After so long the pedometer is read in any case.
    private static let longestSilenceMilliseconds: UInt64 = 7_000
    /// The most that two copies of a value are apart.
    private static let copyGapMilliseconds = 8
    private static let zoneOffsetMinutes: Int64 = 60
    private static let strap = DeviceID(address: 0xC400_0000_0001, space: .random)
    private static let pedometer = DeviceID(address: 1, space: .kernel)

    /// How often each heart-rate value comes, its copies milliseconds apart; 1 in measures.
    var deliveryFactor = 1

    private var random: SeededGenerator
    private var made = 0
    /// What follows from the event before and comes next.
    private var due: [Event] = []
    /// How many copies of the event before come next.
    private var copiesLeft = 0
    private var bootMilliseconds: UInt64 = 60_000
    private var date = CivilDate.epoch

    private var bpm = 80
    private var count = 0
    /// When it was read last.
    private var countedAtMilliseconds: UInt64 = 60_000
    private var latitudeE7 = 525_000_000
    private var longitudeE7 = 134_000_000
    private var altitudeMillimetres = 34_000
    /// When the position was determined last.
    private var fixedAtMilliseconds: UInt64 = 60_000

    private var isInSession = false
    private var sessions = 0
    private var nextSession = StandardMixture.sessionEvents
    /// How many events the pause, or the loss of the link, lasts.
    private var pauseLeft = 0
    private var lossLeft = 0

    init(seed: UInt64) {
        random = SeededGenerator(seed: seed)
        date = localDate
        due = [
            .originBegan(OriginBegan()),
            .bootBegan(BootBegan(zoneOffsetMinutes: Self.zoneOffsetMinutes, zoneName: "CET")),
            .recorderStarted(
                RecorderStarted(
                    programVersion: "1.0", zoneOffsetMinutes: Self.zoneOffsetMinutes,
                    zoneName: "CET")),
            .devicePaired(DevicePaired(device: Self.strap, name: "Strap", roles: .heart)),
            .primaryChosen(PrimaryChosen(role: .heart, device: Self.strap)),
            .pedometerChosen(PedometerChosen(device: Self.pedometer)),
            .linkUp(LinkUp(device: Self.strap, connectMilliseconds: 900)),
            .subscribed(Subscribed(device: Self.strap)),
        ]
    }

    /// The first events of a log, with which its store is made.
    mutating func prologue() throws -> EventChunk { try chunk(of: due.count) }

    /// The next events.
    mutating func chunk(of count: Int) throws -> EventChunk {
        var chunk = EventChunk()
        for _ in 0..<count {
            let event = due.isEmpty ? next() : due.removeFirst()
            try chunk.append(event, at: stamp)
            made += 1
            if copiesLeft > 0 {
                copiesLeft -= 1
            } else if deliveryFactor > 1, case .characteristicNotified = event {
                copiesLeft = deliveryFactor - 1
            }
            if copiesLeft > 0 { due.insert(event, at: 0) }
            let gap = copiesLeft > 0 ? Self.copyGapMilliseconds : Self.gapMilliseconds
            bootMilliseconds += UInt64(random.below(gap + 1))
        }
        return chunk
    }

    // MARK: - Time

    private var stamp: Stamp {
        Stamp(
            bootMilliseconds: bootMilliseconds,
            wallMilliseconds: 1_772_000_000_000 + Int64(bootMilliseconds), bootNumber: 0)
    }

    private var localDate: CivilDate {
        CivilDate(
            wallMilliseconds: stamp.wallMilliseconds, zoneOffsetMinutes: Self.zoneOffsetMinutes)
    }

    // MARK: - Which event

    private mutating func next() -> Event {
        if made >= nextSession { return startSession() }
        if pauseLeft > 0 {
            pauseLeft -= 1
            if pauseLeft == 0 { return .sessionResumed(SessionResumed()) }
        }
        if lossLeft > 0 {
            lossLeft -= 1
            if lossLeft == 0 {
                return .linkUp(LinkUp(device: Self.strap, connectMilliseconds: 700))
            }
        }
        // A pedometer that counts is never silent for long.
        if bootMilliseconds - countedAtMilliseconds > Self.longestSilenceMilliseconds {
            return steps()
        }
        switch random.below(10_000) {
        case 0..<7_000: return lossLeft > 0 ? steps() : heartRate()
        case 7_000..<9_500: return steps()
        case 9_500..<9_930: return position()
        default: return control()
        }
    }

    private mutating func startSession() -> Event {
        let height: UInt64 = 1_750
        let goals = [
            Goal(), Goal(kind: .steps, target: 2_500), Goal(kind: .distance, target: 1_500_000),
            Goal(kind: .duration, target: 1_200_000),
        ]
        let start = Event.sessionStarted(
            SessionStarted(
                goal: goals[sessions % goals.count], outAndBack: sessions % 8 < 4,
                profile: Profile(heightMillimetres: height, weightGrams: 72_000)))
        sessions += 1
        nextSession += Self.sessionEvents
        pauseLeft = 0
        guard isInSession else {
            isInSession = true
            return start
        }
        due.append(start)
        return .sessionEnded(SessionEnded())
    }

    /// What a walker or a recorder does: seven in ten are reconciliations.
    private mutating func control() -> Event {
        switch random.below(10) {
        case 0, 1:
            guard isInSession, pauseLeft == 0 else { return reconciliation(.manual) }
            pauseLeft = 10 + random.below(50)
            return .sessionPaused(SessionPaused())
        case 2:
            guard lossLeft == 0 else { return reconciliation(.manual) }
            lossLeft = 2 + random.below(20)
            return .linkLost(LinkLost(device: Self.strap, cause: .remote, reason: "timeout"))
        case 3: return isInSession ? .sessionMarked(SessionMarked()) : reconciliation(.manual)
        default: return reconciliation(random.below(4) == 0 ? .foreground : .observer)
        }
    }

    // MARK: - The events

    /// A value of the strap; one in 256 without contact, one in 512 with BPM 0.
    private mutating func heartRate() -> Event {
        bpm = min(max(bpm + random.within(1), 60), 190)
        let odd = random.below(512)
        let isWide = random.below(50) == 0
        var value: [UInt8] = [0x10 | (odd < 2 ? 0x04 : 0x06) | (isWide ? 1 : 0)]
        value.append(UInt8(odd == 2 ? 0 : bpm))
        if isWide { value.append(0) }
        for _ in 0..<1 + random.below(3) {
            let interval = 61_440 / bpm + random.within(30)
            value.append(UInt8(truncatingIfNeeded: interval))
            value.append(UInt8(truncatingIfNeeded: interval >> 8))
        }
        return .characteristicNotified(CharacteristicNotified(device: Self.strap, value: value))
    }

    /// Reads the counter, which goes on, or begins anew about once in 20,000 reads.
    ///
    /// The first read of a new date waits for the event that opens the date. All of it can have
    /// been walked: at most two steps a second, and less than ten that a new counter shows first.
    private mutating func steps() -> Event {
        let possible = Int((bootMilliseconds - countedAtMilliseconds) / 500)
        countedAtMilliseconds = bootMilliseconds
        let isNew = random.below(20_000) == 0
        count = isNew ? random.below(8) : count + min(random.below(8), possible)
        let read = Event.pedometerRead(
            PedometerRead(device: Self.pedometer, reading: .counter(UInt64(count))))
        guard date != localDate else { return read }
        due.append(read)
        return reconciliation(.rollover)
    }

    private mutating func position() -> Event {
        // A second for a few metres: a walker could have gone there.
        guard bootMilliseconds - fixedAtMilliseconds >= 1_000 else { return steps() }
        fixedAtMilliseconds = bootMilliseconds
        latitudeE7 = min(max(latitudeE7 + random.within(200), -900_000_000), 900_000_000)
        longitudeE7 = min(max(longitudeE7 + random.within(300), -1_800_000_000), 1_800_000_000)
        altitudeMillimetres += random.within(300)
        return .positionFixed(
            PositionFixed(
                latitudeE7: Int64(latitudeE7), longitudeE7: Int64(longitudeE7),
                altitudeMillimetres: Int64(altitudeMillimetres),
                accuracyMillimetres: UInt64(2_000 + random.below(6_000)),
                speedMillimetresPerSecond: UInt64(1_000 + random.below(800))))
    }

    /// A reconciliation; three in four know a health total, sometimes ahead of what is displayed.
    private mutating func reconciliation(_ trigger: Trigger) -> Event {
        date = localDate
        let total = random.below(4) == 0 ? nil : UInt64(random.below(30_000))
        return .reconciliationTriggered(
            ReconciliationTriggered(
                trigger: trigger, healthTotal: trigger == .rollover ? nil : total, date: date,
                offsetMinutes: Self.zoneOffsetMinutes))
    }
}
