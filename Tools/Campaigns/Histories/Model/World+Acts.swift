import Events
import Projections
import TestSupport

/// What happens next, by chance.
extension World {
    /// Makes the whole history.
    mutating func live() -> [Happening] {
        add(.zone(offsetMinutes: offsetMinutes))
        // A machine without a battery in its clock starts in 1970; a bad one starts anywhere.
        if !isHonest, random.chance(30) { setWrongClock() }
        if isHonest || random.chance(60) { pairAll() }
        startRecorder()
        let most = 20 + random.below(random.chance(20) ? 180 : 60)
        while happenings.count < most {
            pass()
            act()
            if random.chance(isHonest ? 40 : 15) { look() }
        }
        closeDay()
        return happenings
    }

    private mutating func pairAll() {
        add(.pair(World.pedometers[chosen], name: nil, roles: .watch), process: 1)
        for index in World.pedometers.indices where index != chosen && index < Int(company) {
            add(.pair(World.pedometers[index], name: nil, roles: .watch), process: 1)
        }
    }

    private mutating func startRecorder() {
        add(
            .startRecorder(
                programVersion: "1", zoneOffsetMinutes: offsetMinutes, zoneName: ""))
        isRecording = true
        proof.base = nil
        forgetTimes()
        if random.chance(60) { add(.refresh(.start)) }
    }

    /// Lets some time pass: mostly a second, now and then hours, or to around midnight.
    private mutating func pass() {
        switch random.below(100) {
        case 0..<60: wait(1_000)
        case 60..<75: wait(Int64(random.below(30_000)))
        case 75..<87: wait(Int64(random.below(900_000)))
        case 87..<94: wait(Int64(random.below(9 * 3_600_000)))
        default:
            let margin = Int64(random.below(4_000)) - 2_000
            wait(max(0, nextMidnight - now + margin))
        }
        if random.chance(15) {
            pace = (random.chance(70) ? random.below(22) : 0, random.chance(50) ? 12 : 0)
        }
    }

    /// Readings one after the other, as a recorder gets them, then perhaps a total.
    private mutating func walk() {
        for _ in 0..<4 + random.below(8) {
            wait(Int64(1_000 + random.below(3_500)))
            read(chosen)
        }
        if random.chance(60) { tellTotal() }
        if random.chance(50) { look() }
    }

    private mutating func act() {
        switch random.below(100) {
        case 0..<8: walk()
        case 8..<55:
            read(chosen)
            if random.chance(20) { read(Int(random.below(company))) }
            if !isHonest, random.chance(8) { read(World.pod) }
        case 55..<67: tellTotal()
        case 67..<72:
            let triggers: [Trigger] = [.manual, .foreground, .start, .clockTrusted]
            add(.refresh(triggers[Int(random.below(isHonest ? 3 : 4))]), process: 1)
        case 72..<75: add(.rollOver)
        case 75..<80: actOnSession()
        case 80..<84: actOnRecorder()
        case 84..<86: switchPedometer()
        case 86..<88: tellYesterday()
        case 88..<90:
            let index = Int(random.below(company))
            // A restart unheard over midnight belongs to nobody knows which day.
            if isHonest, !isRecording || nextMidnight - now < 10_000 { break }
            restart(index)
            read(index)
        case 90..<92:
            let total = walkedEarlier()
            proof.undated = max(proof.undated, total)
            let observed = HealthTotalObserved(date: today, total: total, origin: "file")
            add(.imported(.healthTotalObserved(observed), source: 3))
        default: if isHonest { actOfNature() } else { lie() }
        }
    }

    /// A total of today that was true half a minute ago, for an import.
    private func walkedEarlier() -> UInt64 {
        let begin = midnights[midnights.count - 1].all
        let known = milestones.last { $0.at <= now - 30_000 }
        return known.map { $0.all > begin ? $0.all - begin : 0 } ?? 0
    }

    private mutating func actOnSession() {
        switch (session.isOpen, session.isPaused) {
        case (false, _):
            add(.start())
            session = (true, false)
            truth.sessions.append(History.Session(date: today))
            heard.pausedAt = .min
            heard.walkedSince = now
            beginCounting()
        case (true, false):
            let pauses = random.chance(60)
            standsStill = pauses && random.chance(50)
            let pause: Command =
                standsStill ? .record(.standstillBegan(StandstillBegan())) : .pause
            add(pauses ? pause : .end())
            session = (pauses, pauses)
            if !pauses || !standsStill { heard.walkedSince = nil }
            if pauses, !standsStill || !countsStandstill { heard.pausedAt = now }
        case (true, true) where standsStill && random.chance(20):
            // The walker makes it a pause that lasts.
            add(.pause)
            standsStill = false
            heard.walkedSince = nil
            if countsStandstill { heard.pausedAt = now }
        case (true, true):
            let resumes = random.chance(80)
            // Also where the rule has counted no pause.
            let moveOn: Event =
                random.chance(70)
                ? .standstillEnded(StandstillEnded()) : .sessionResumed(SessionResumed())
            add(resumes ? standsStill ? .record(moveOn) : .resume : .end())
            session = (resumes, false)
            heard.walkedSince = resumes ? heard.walkedSince ?? now : nil
            if resumes, !standsStill || !countsStandstill { beginCounting() }
        }
    }

    /// It stops, is killed, starts, or is killed and starts at once.
    private mutating func actOnRecorder() {
        guard isRecording else { return startRecorder() }
        isRecording = false
        proof.base = nil
        switch random.below(3) {
        case 0:
            add(.stopRecorder(.requested))
            forgetTimes()
        case 1: startRecorder()
        default: break
        }
    }

    private mutating func switchPedometer() {
        let before = chosen
        chosen = Int(random.below(min(company, 3)))
        if chosen != before { (heard.worth, heard.isAwaited) = (.nothing, true) }
        add(.makePrimary(World.pedometers[chosen]), process: 1)
        proof.base = nil
    }

    private mutating func tellYesterday() {
        guard let begin = midnights.dropLast().last, let day = truth.days[begin.date]
        else { return }
        let part = isHonest ? day.walked : random.below(day.walked + 200)
        add(.healthTotal(part, date: begin.date), process: 2)
    }

    /// The machine boots, or the clocks change from winter to summer time or back.
    private mutating func actOfNature() {
        if random.chance(50) {
            let isSafe = nextMidnight - now > 10_000
            guard isSafe else { return }
            isRecording = false
            add(.reboot)
            wait(3_000)
            startRecorder()
            restart(World.counter)
            wait(1_000)
            read(World.counter)
        } else {
            let change: Int64 = random.chance(50) ? 60 : -60
            let before = today
            offsetMinutes += change
            guard today == before, abs(offsetMinutes) < 600 else {
                offsetMinutes -= change
                return
            }
            if heard.worth == .overMidnight { (heard.held, heard.strayed) = (nil, 40_000) }
            add(.zone(offsetMinutes: offsetMinutes))
        }
    }

    /// Something that is wrong, or comes from elsewhere.
    private mutating func lie() {
        switch random.below(17) {
        case 14, 15: misread()
        case 16: tellWhatNobodyWalks()
        case 0: add(.healthTotal(random.below(40_000), date: today), process: 2)
        case 1: add(.healthTotal(random.below(walkedToday + 1)), process: 2)
        case 2:
            add(
                .legacyTotal(
                    random.below(20_000), date: today, reason: "new phone", author: "walker"),
                process: 1)
        case 3:
            add(
                .correct(
                    date: midnights[Int(random.below(UInt64(midnights.count)))].date,
                    by: Int64(random.below(8_000)) - 6_000, reason: "shaken", author: "walker"),
                process: 1)
        case 4, 5:
            let hours = random.chance(50) ? 3_600_000 : 60_000
            let ahead = (Int64(random.below(53)) - 26) * Int64(hours)
            let isTrusted = !areTrustedClocksRight && random.chance(80)
            add(.clock(aheadMilliseconds: ahead, isTrusted: isTrusted))
        case 6:
            add(.clock(aheadMilliseconds: 0, isTrusted: random.chance(80)))
            look()
        case 7: setWrongClock()
        case 8:
            offsetMinutes = (Int64(random.below(27)) - 12) * 60
            add(.zone(offsetMinutes: offsetMinutes))
            noteDate()
        case 9:
            isRecording = false
            add(.reboot)
            restart(World.counter)
            if random.chance(70) { startRecorder() }
        case 10: lieInAnImport()
        case 11: add(.forget(World.pedometers[Int(random.below(company))]), process: 1)
        case 12:
            // The machine boots, and nothing tells it the time yet.
            isRecording = false
            add(.reboot)
            setWrongClock()
            startRecorder()
        default: changeChoice()
        }
    }

    /// A counter shows one bit otherwise, nothing, or for good what it showed some steps ago.
    private mutating func misread() {
        surplus = nil
        let before = zeros[chosen]
        switch random.below(3) {
        case 0: zeros[chosen] -= 1 << Int64(5 + random.below(27))
        case 1: zeros[chosen] = Int64(last.own)
        default:
            zeros[chosen] += Int64(random.below(300))
            return read(chosen)
        }
        for _ in 0...random.below(2) { read(chosen) }
        zeros[chosen] = before
        wait(Int64(random.below(random.chance(70) ? 3_000 : 3_600_000)))
        read(chosen)
    }

    /// A total that nobody walks in a day, meant or not.
    private mutating func tellWhatNobodyWalks() {
        let total = 200_001 + random.below(1 << 29)
        let observed = HealthTotalObserved(date: today, total: total, origin: "file")
        switch random.below(4) {
        case 0: add(.healthTotal(total, meantBy: "walker"), process: 2)
        case 1: add(.imported(.healthTotalObserved(observed), source: 3))
        case 2: add(.record(.healthTotalObserved(observed)))
        default:
            let legacy = LegacyValueImported(date: today, total: total)
            add(.record(.legacyValueImported(legacy)))
        }
    }

    /// The clock says 1970, 2100 or a date some days off, and nobody vouches for it.
    private mutating func setWrongClock() {
        let days = Int64(random.below(9)) - 4
        let ahead = [-now + 3_000, 4_102_444_800_000 - now, days * 86_400_000]
        add(.clock(aheadMilliseconds: ahead[Int(random.below(3))], isTrusted: false))
    }

    private mutating func changeChoice() {
        switch random.below(4) {
        case 0: add(.setProfile(Profile(stepsPerCadenceCount: 2)), process: 1)
        case 1: add(.pair(World.pedometers[World.pod], name: nil, roles: .footPod), process: 1)
        case 2:
            chosen = World.pod
            add(.makePrimary(World.pedometers[World.pod]), process: 1)
        default: add(.record(.pedometerChosen(PedometerChosen(device: nil))), process: 1)
        }
    }

    /// Another source has pedometers, sessions and reconciles of its own.
    private mutating func lieInAnImport() {
        let device = World.pedometers[Int(random.below(3))]
        let count = random.below(50_000)
        let events: [Event] = [
            .pedometerRead(PedometerRead(device: device, reading: .counter(count))),
            .reconciliationTriggered(
                ReconciliationTriggered(trigger: .manual, healthTotal: count, date: today)),
            .healthTotalObserved(HealthTotalObserved(date: today, total: random.below(5_000))),
            .legacyValueImported(LegacyValueImported(date: today, total: count)),
            .pedometerChosen(PedometerChosen(device: device)),
            .sessionStarted(SessionStarted()),
            .recorderStarted(
                RecorderStarted(programVersion: "0", zoneOffsetMinutes: -600, zoneName: "")),
        ]
        let event = events[Int(random.below(UInt64(events.count)))]
        add(.imported(event, source: UInt32(1 + random.below(2))))
    }
}

extension History {
    /// Makes the history of a seed.
    package init(seed: UInt64) {
        var world = World(seed: seed)
        let happenings = world.live().withHearts(seed: seed)
        var rules = Rules()
        rules.carryOverlap = world.carries
        rules.countStandstill = world.countsStandstill
        self.init(
            seed: seed, rules: rules, happenings: happenings,
            truth: world.isHonest && !world.heard.isBeyond ? world.truth : nil,
            ownSteps: world.surplus.map { world.last.own + $0 },
            areTrustedClocksRight: world.areTrustedClocksRight)
    }
}
