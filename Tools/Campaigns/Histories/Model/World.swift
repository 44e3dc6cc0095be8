import Events
import Projections
import TestSupport

/// A walker, some pedometers, a health store and a machine, at random.
///
/// The walker's steps are the truth. A pedometer on the body counts the steps made with it; the
/// health store counts all, and says so late. An honest world has no wrong number and no wrong
/// clock in it, so that what is displayed can be held against the truth; the others have all.
struct World {
    /// The steps at a moment, since the world began.
    struct Milestone {
        var at: Int64
        /// Steps with the pedometers on.
        var own: UInt64
        /// All steps.
        var all: UInt64
    }

    /// What totals and heard readings prove about a day; see ``Happening/Truth/least``.
    struct Proof {
        /// Own steps at the last reading of the chosen pedometer.
        var heard: UInt64 = 0
        /// Own steps where its stream began, or nil if the next reading begins it.
        var base: UInt64?
        /// The steps proven for today.
        var least: UInt64 = 0
        /// The greatest total of today that did not say until when it counts: it stands in for
        /// every lower one.
        var undated: UInt64 = 0
    }

    static let pedometers = [
        DeviceID(address: 1, space: .kernel), DeviceID(address: 0xC400_0000_0009, space: .random),
        DeviceID(address: 2, space: .kernel), DeviceID(address: 0xC400_0000_000A, space: .random),
    ]
    static let counter = 0
    static let watch = 1
    static let pod = 3

    var random: SeededGenerator
    let isHonest: Bool
    /// Whether a trusted clock is right here; one that is not may say anything.
    let areTrustedClocksRight: Bool
    let carries: Bool
    let countsStandstill: Bool
    /// True UTC milliseconds.
    var now: Int64
    var offsetMinutes: Int64
    /// Steps in ten seconds, with the pedometers on and without.
    var pace: (own: UInt64, other: UInt64) = (18, 0)
    var milestones: [Milestone]
    /// The steps at the beginning of each date.
    var midnights: [(date: CivilDate, own: UInt64, all: UInt64)]
    var truth = History.Truth()
    var heard = Heard(last: World.pedometers.map { _ in (Int64?.none, Int64?.none) })
    /// The most that counters may show beyond what was walked; nil if one shows just anything.
    var surplus: UInt64? = 0
    /// Own steps at which each pedometer's count was 0; a wild one may begin anywhere.
    var zeros: [Int64]
    var chosen: Int
    /// How many pedometers are about.
    var company: UInt64
    var proof = Proof()
    var isRecording = false
    var session: (isOpen: Bool, isPaused: Bool) = (false, false)
    /// Whether the pause began by itself.
    var standsStill = false
    var happenings: [Happening] = []
    /// The offset by which the recorder knows the date.
    var toldOffsetMinutes: Int64 = 0

    init(seed: UInt64) {
        random = SeededGenerator(seed: seed)
        let (isHonest, areRight) = (random.chance(50), random.chance(50))
        self.isHonest = isHonest
        areTrustedClocksRight = isHonest || areRight
        carries = random.chance(35)
        countsStandstill = seed % 7 == 0
        // 2026-03-28, the day before Central Europe's day of 23 hours, or a day in autumn.
        let day: Int64 = random.chance(50) ? 20_540 : 20_750
        now = day * 86_400_000 + Int64(random.below(86_400_000))
        offsetMinutes = [0, 60, 120, -300, 345][Int(random.below(5))]
        milestones = [Milestone(at: now, own: 0, all: 0)]
        midnights = []
        zeros = World.pedometers.map { _ in 0 }
        chosen = random.chance(70) ? World.counter : World.watch
        company = random.below(3) + 1
        midnights = [(today, 0, 0)]
        zeros[World.counter] = -Int64(random.below(20_000))
        zeros[2] = -Int64(random.below(20_000))
        if !isHonest, random.chance(40) {
            // The watch's counter is about to wrap.
            zeros[World.watch] = Int64(random.below(60)) - 0x1_0000_0000
            // If it begins anew just before.
            surplus = 60
        }
        // A counter that is as high but does not wrap.
        if !isHonest, random.chance(20) {
            zeros[2] = -0xFFFF_0000
            surplus = nil
        }
    }

    var today: CivilDate { CivilDate(wallMilliseconds: now, zoneOffsetMinutes: offsetMinutes) }

    var last: Milestone { milestones[milestones.count - 1] }

    /// Steps of today, all devices.
    var walkedToday: UInt64 { last.all - midnights[midnights.count - 1].all }

    /// The most that today may display: a reading that is carried counts whole, also what was
    /// walked in it before the total's end; so do steps that count for the day after.
    var mostToday: UInt64 { walkedToday + heard.strayed + (carries ? heard.widest : 0) }

    /// Notes what is true of today.
    mutating func closeDay() {
        truth.days[midnights[midnights.count - 1].date] = History.Day(
            walked: walkedToday, most: mostToday, heard: heard.today, held: heard.held)
    }

    // MARK: - Time

    var nextMidnight: Int64 { (today.daysSinceEpoch + 1) * 86_400_000 - offsetMinutes * 60_000 }

    /// Lets time pass and the walker walk.
    mutating func wait(_ milliseconds: Int64) {
        let end = now + milliseconds
        while nextMidnight <= end {
            walk(until: nextMidnight)
            noteDate()
        }
        walk(until: end)
    }

    private mutating func walk(until end: Int64) {
        let elapsed = UInt64(end - now)
        let own = elapsed * pace.own / 10_000
        let other = elapsed * pace.other / 10_000
        now = end
        let before = last
        milestones.append(
            Milestone(at: end, own: before.own + own, all: before.all + own + other))
    }

    /// The local date may be another one now: the day before is over.
    mutating func noteDate() {
        let before = midnights[midnights.count - 1]
        guard today > before.date else { return }
        closeDay()
        midnights.append((today, last.own, last.all))
        proof = Proof()
        heard.beginDay()
        // The watch begins its day with 0; a wild one does not always.
        if isHonest || random.chance(60) { zeros[World.watch] = Int64(last.own) }
    }

    // MARK: - Happenings

    mutating func add(_ what: Happening.What, process: Int = 0) {
        var happening = Happening(at: now, process: process, what: what)
        if !isHonest, random.chance(8) { happening.lagMilliseconds = random.below(3_000) }
        happenings.append(happening)
    }

    mutating func add(_ command: Command, process: Int = 0) {
        toldOffsetMinutes = offsetMinutes
        add(.command(command), process: process)
    }

    mutating func look() {
        let date = CivilDate(wallMilliseconds: now, zoneOffsetMinutes: toldOffsetMinutes)
        guard date == today else { return }
        let truth = Happening.Truth(date: today, most: mostToday, least: proof.least)
        add(.look(isHonest ? truth : nil), process: 1)
    }

    /// Reads a pedometer, if a recorder runs.
    mutating func read(_ index: Int) {
        guard isRecording else { return }
        let count = Int64(last.own) - zeros[index]
        let reading: PedometerRead.Reading
        switch index {
        case World.watch:
            let bits = UInt32(truncatingIfNeeded: count)
            reading = .characteristic(
                .infiniTimeStepCount, (0..<4).map { UInt8(truncatingIfNeeded: bits >> ($0 * 8)) })
        case World.pod:
            let cadence = UInt8(min(255, pace.own * 6))
            reading = .characteristic(.runningSpeedCadenceMeasurement, [0, 0, 0, cadence])
        default: reading = .counter(UInt64(max(0, count)))
        }
        add(
            .record(
                .pedometerRead(PedometerRead(device: World.pedometers[index], reading: reading))))
        let before = heard.last[index].at ?? 0
        hear(index, count)
        if index == World.pod { surplus = surplus.map { $0 + 22 } }
        guard index == chosen else { return }
        if now - before > 5_000 { proof.base = nil }
        if proof.base == nil {
            proof.base = last.own
        } else {
            proof.least += last.own - proof.heard
        }
        proof.heard = last.own
    }

    /// A pedometer restarts from 0.
    mutating func restart(_ index: Int) {
        zeros[index] = Int64(last.own)
        if index == chosen { proof.base = nil }
    }

    /// The health store tells a total of today, as of a while ago.
    mutating func tellTotal() {
        let lag = Int64(30_000 + random.below(300_000))
        let date = today
        let begin = midnights[midnights.count - 1]
        guard
            let known = milestones.last(where: {
                $0.at <= now - lag
                    && CivilDate(wallMilliseconds: $0.at, zoneOffsetMinutes: offsetMinutes) == date
            }), known.all >= begin.all
        else { return }
        let total = known.all - begin.all
        let isDated = random.chance(60)
        add(
            .healthTotal(
                total, date: random.chance(50) ? date : nil,
                validUntilMilliseconds: isDated ? known.at : nil,
                trigger: random.chance(80) ? .observer : .manual), process: 2)
        if random.chance(15), let again = happenings.last { happenings.append(again) }
        // One that nobody walks in a day is set aside, and proves nothing.
        guard total <= Plausibility.stepsPerDay else { return }
        if !isDated { proof.undated = max(proof.undated, total) }
        guard isDated, total >= proof.undated else { return }
        let stream = proof.base.map { proof.heard - min(proof.heard, max(known.own, $0)) } ?? 0
        proof.least = max(proof.least, total + stream)
    }
}
