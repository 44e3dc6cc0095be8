import Certification
import Clocks
import Deciding
import EventStore
import Events
import Projections
import TamperEvidence
import TestSupport
import Testing

@Suite("Records of days")
struct DayRecordTests {
    private static let day: UInt64 = 86_400_000

    /// A log of some days with readings, totals and corrections, from a seed, and the records of
    /// all but the last one.
    private func recordedLog(
        seed: UInt64, days: UInt64
    ) async throws -> (InMemoryEventLog, Appender) {
        let (log, appender) = try await makeLog(seed: seed, days: days)
        _ = try await appender.closeDays(at: arrival(after: days * Self.day))
        return (log, appender)
    }

    private func makeLog(seed: UInt64, days: UInt64) async throws -> (InMemoryEventLog, Appender) {
        var random = SeededGenerator(seed: seed)
        let log = InMemoryEventLog()
        let appender = Appender(log, machine: machine)
        var (count, now): (UInt64, UInt64) = (100, 0)
        while now < days * Self.day {
            now += random.below(Self.day / 6)
            count = random.chance(5) ? random.below(50) : count + random.below(900)
            var input = input(counted(count), after: now)
            if random.chance(20) {
                input.command = .healthTotal(random.below(12_000))
            } else if random.chance(10) {
                input.command = .correct(
                    date: try #require(CivilDate("2026-03-01")),
                    by: Int64(random.below(200)) - 100, reason: "shaken", author: "walker")
            } else if random.chance(15) {
                // Of no lane that counts.
                input = reading(UInt16(random.below(200)))
                input.arrival = arrival(after: now)
            }
            _ = try await appender.record([input])
        }
        return (log, appender)
    }

    private func records(_ log: InMemoryEventLog) throws -> [DayRecorded] {
        try log.all.compactMap { event in
            if case .dayRecorded(let day) = event { day } else { nil }
        }
    }

    /// The log again, event by event; `change` may put others in their place.
    private func copy(
        of log: InMemoryEventLog, _ change: (RecordedEvent) -> [RecordedEvent]
    ) async throws -> InMemoryEventLog {
        var batch = EventBatch()
        for event in try log.events(in: 0..<log.next) {
            for event in change(event) {
                try event.withView { (view) throws(FieldError) in try batch.append(view) }
            }
        }
        let copy = InMemoryEventLog()
        _ = try await copy.append(batch, expecting: nil)
        return copy
    }

    @Test("are made of each day that is over, once, whoever asks and when", arguments: 1...6)
    func closing(_ seed: UInt64) async throws {
        let (log, appender) = try await makeLog(seed: seed, days: 4)
        let state = await appender.state
        let made = try await appender.closeDays(at: arrival(after: 4 * Self.day))
        let days = state.own.steps.days.filter { $0.firstStepsIndex != nil }
        #expect(made == days.count - 1)
        let records = try records(log)
        #expect(records.map(\.date) == days.dropLast().map(\.date))
        #expect(records.map(\.displayed) == days.dropLast().map(\.displayed))
        #expect(records.map(\.walked) == days.dropLast().map(\.pedometerSteps))
        #expect(records.map(\.offsetMinutes) == days.dropLast().map(\.offsetMinutes))
        #expect(try log.checkDayRecords().wrong == nil)
        let again = try await appender.closeDays(at: arrival(after: 4 * Self.day))
        #expect(again == 0)
        #expect(await appender.state.own.steps == state.own.steps, "Folds pass claims over.")
    }

    @Test("stand alone in their blocks")
    func alone() async throws {
        let (log, _) = try await recordedLog(seed: 3, days: 5)
        var counts: [Int] = []
        try log.readBlocks(from: 0) { block in
            do throws(DamagedBlock) {
                counts.append(try BlockReader.heads(of: block).indices(in: .day).count)
            } catch {
                Issue.record("\(error)")
            }
            return true
        }
        let records = try records(log)
        #expect(counts.max() == 1 && counts.reduce(0, +) == records.count)
    }

    @Test("tell of one day, whichever else was reported meanwhile", arguments: 1...4)
    func ownEvents(_ seed: UInt64) async throws {
        let (log, appender) = try await makeLog(seed: seed, days: 4)
        let other = try #require(CivilDate("2026-02-11"))
        _ = try await appender.record([
            Input(
                .healthTotal(7_777, date: other), at: arrival(after: 4 * Self.day))
        ])
        _ = try await appender.closeDays(at: arrival(after: 4 * Self.day))
        for record in try records(log) {
            let bytes = try log.canonicalEvents(of: record.date, asOf: try log.next)
            var count: UInt64 = 0
            try CanonicalEvents.forEach(in: bytes.span) { event in
                count += 1
                switch event.decoded {
                case .healthTotalObserved(let told): #expect(told.date == record.date)
                case .reconciliationTriggered(let told): #expect(told.date == record.date)
                case .stepsCorrected(let told): #expect(told.date == record.date)
                case .pedometerRead, .pedometerChosen: break
                default: Issue.record("\(event.header.kind)")
                }
            }
            #expect(count == record.eventCount)
            #expect(FileDigest(bytes).bytes == record.eventsSHA256)
        }
    }

    @Test("say what came later: a total, a correction, a day that only a store tells of")
    func later() async throws {
        let (log, appender) = try await recordedLog(seed: 2, days: 3)
        let first = try #require(try records(log).first)
        #expect(first.displayedAtEnd == first.displayed)
        let now = arrival(after: 3 * Self.day)
        _ = try await appender.record([
            Input(.healthTotal(90_000, date: first.date, origin: Reporter(.push)), at: now),
            Input(.correct(date: first.date, by: -7, reason: "bag", author: "walker"), at: now),
        ])
        #expect(try await appender.closeDays(at: now) == 0, "Nobody asks for a proof of it.")
        let (position, second) = try #require(try await appender.recordDay(first.date, at: now))
        #expect(second.displayed == 90_000 && second.displayedAtEnd == first.displayed)
        #expect(second.corrections == first.corrections + 1 && second.walked == first.walked)
        let again = try #require(try await appender.recordDay(first.date, at: now))
        #expect(again.position == position, "It is as it is now.")
        let other = try #require(CivilDate("2026-02-11"))
        _ = try await appender.record([Input(.healthTotal(7_777, date: other), at: now)])
        let reported = try #require(try await appender.recordDay(other, at: now)).record
        #expect(reported.displayed == 7_777 && reported.walked == 0)
        #expect(reported.displayedAtEnd == nil && reported.offsetMinutes == nil)
        let today = try #require(await appender.state.own.steps.current?.date)
        #expect(try await appender.recordDay(today, at: now) == nil)
        #expect(try log.checkDayRecords().wrong == nil)
    }

    @Test("a record that says something else is found, whatever it says otherwise")
    func wrong() async throws {
        let (log, _) = try await recordedLog(seed: 9, days: 3)
        let good = try #require(try records(log).last)
        let other = try #require(CivilDate("2026-04-01"))
        let changes: [(inout DayRecorded) -> Void] = [
            { $0.displayed += 1 }, { $0.corrected += 1 }, { $0.walked += 1 },
            { $0.displayedAtEnd = nil }, { $0.corrections += 1 }, { $0.eventCount += 1 },
            { $0.offsetMinutes = 60 }, { $0.eventsSHA256[0] ^= 1 }, { $0.date = other },
            { $0.stepsPerCadenceCount = 2 },
        ]
        for change in changes {
            let copy = try await copy(of: log) { event in
                guard case .dayRecorded(var day) = event.event, day == good else { return [event] }
                change(&day)
                return [RecordedEvent(header: event.header, event: .dayRecorded(day))]
            }
            #expect(try copy.checkDayRecords().wrong != nil)
        }
        #expect(try log.checkDayRecords().wrong == nil)
    }

    @Test("are of the walker: what a recorder made up is in none")
    func madeUp() async throws {
        let (log, appender) = try await makeLog(seed: 4, days: 3)
        let simulated = try await copy(of: log) { event in
            guard event.event.kind == .pedometerRead else { return [event] }
            var made = event
            made.header.flags.insert(.simulated)
            if case .pedometerRead(var read) = made.event {
                read.reading = .counter(event.header.position * 900)
                made.event = .pedometerRead(read)
            }
            return [event, made]
        }
        let other = Appender(simulated, machine: machine)
        _ = try await appender.closeDays(at: arrival(after: 3 * Self.day))
        _ = try await other.closeDays(at: arrival(after: 3 * Self.day))
        #expect(try records(simulated).map(\.walked) == records(log).map(\.walked))
        #expect(try records(simulated).map(\.eventCount) == records(log).map(\.eventCount))
        #expect(try simulated.checkDayRecords().wrong == nil)
    }

    @Test("those of earlier versions are judged by their rule, and named")
    func former() async throws {
        for holds in [true, false] {
            let log = InMemoryEventLog()
            let appender = Appender(log, machine: machine)
            _ = try await appender.record([
                input(counted(100)), input(counted(160), after: 30_000),
                input(counted(170), after: Self.day),
            ])
            let day = try #require(await appender.state.own.steps.days.first)
            var bytes: [UInt8] = []
            var index: UInt64 = 0
            let end = arrival(after: Self.day).bootMilliseconds
            for event in try log.events(in: 0..<log.next)
            where event.event.kind.lane == .steps && event.header.stamp.bootMilliseconds < end {
                let payload = try event.event.encodedPayload()
                bytes += event.header.canonicalBytes(laneIndex: index, payload: payload.span)
                index += 1
            }
            let closed = DayClosed(
                date: day.date, offsetMinutes: 0, displayed: 60 + (holds ? 0 : 1), corrected: 60,
                firstStepsIndex: 0, endStepsIndex: index,
                stepsSHA256: FileDigest(bytes).bytes)
            _ = try await appender.record([input(.dayClosed(closed), after: Self.day + 1)])
            let found = try log.checkDayRecords()
            #expect((found.wrong == nil) == holds)
            #expect(found.formerDates == [day.date])
            #expect(try await appender.closeDays(at: arrival(after: Self.day + 2)) == 0)
            let now = try await appender.recordDay(day.date, at: arrival(after: Self.day + 3))
            #expect(now?.record.walked == 60, "A proof gets a new one.")
        }
    }

    // MARK: - Proofs

    /// The block with the record at a position, and its section of days.
    private func opened(
        _ log: InMemoryEventLog, at position: Position
    ) throws -> (block: [UInt8], section: OpenedSection) {
        var block: [UInt8] = []
        try log.readBlocks(from: position) { bytes in
            block = [UInt8](copying: bytes)
            return false
        }
        let salts = SectionSalts(secret: [UInt8](repeating: 3, count: 32))
        return (block, try OpenedSection(of: .day, in: block, ordinal: 0, salts: salts))
    }

    /// A log of one block with the records of days, sealed under a key.
    private func prove(
        seed: UInt64, withSteps: Bool
    ) async throws -> (SectionProof, NoteSigner, DayRecorded, [UInt8]) {
        let (log, _) = try await recordedLog(seed: seed, days: 2)
        let record = try #require(try records(log).first)
        let found = try #require(try log.lastDayRecord(of: record.date))
        let (block, section) = try opened(log, at: found.position)
        var tree = MerkleTree()
        tree.append(section.leaf)
        let signer = try #require(
            NoteSigner(name: "pulselog/test", seed: [UInt8](repeating: 4, count: 32)))
        let note = Checkpoint(origin: "pulselog/test", size: 1, root: tree.root)
            .signed(by: signer)
        let steps =
            withSteps ? try log.canonicalEvents(of: record.date, asOf: found.position) : []
        let proof = SectionProof(
            section, attachment: steps, inclusion: InclusionProof(index: 0, siblings: []),
            checkpoint: note)
        return (proof, signer, record, block)
    }

    @Test("a proof of one day of an imported year tells no other day")
    func oneOfAYear() async throws {
        let log = InMemoryEventLog()
        let appender = Appender(log, machine: machine)
        let first = try #require(CivilDate("2025-02-20")).daysSinceEpoch
        // Four bytes each, and no two alike: found wherever they stand.
        let totals = try (0..<365).map { number in
            HealthTotal(
                date: try #require(CivilDate(daysSinceEpoch: first + Int64(number))),
                steps: 20_000_000 + 7_919 * UInt64(number))
        }
        _ = try await appender.record(
            totals.map {
                let command = Command.healthTotal(
                    $0.steps, date: $0.date, origin: Reporter(.appleHealth), meantBy: "Ann")
                return Input(command, at: arrival(after: 0))
            })
        let now = arrival(after: 1_000)
        for total in [totals[100], totals[364]] {
            let found = try #require(try await appender.recordDay(total.date, at: now))
            let (_, section) = try opened(log, at: found.position)
            let events = try log.canonicalEvents(of: total.date, asOf: found.position)
            let told = section.bytes + events
            for other in totals {
                var steps: [UInt8] = []
                steps.appendVarint(other.steps)
                #expect(told.contains(steps) == (other.date == total.date), "\(other.date)")
            }
            for other in try records(log) where other.date != total.date {
                #expect(!told.contains(other.eventsSHA256))
            }
        }
        #expect(try records(log).count == 2, "Others are recorded when somebody asks.")
    }

    @Test("are proven by a file and a key, with the day's steps if they are laid open")
    func proofs() async throws {
        for withSteps in [false, true] {
            let (proof, signer, record, _) = try await prove(seed: 21, withSteps: withSteps)
            let read = try #require(SectionProof(proof.text))
            #expect(read == proof)
            let proven = try ProvenDays(read, by: signer.verifier)
            #expect(proven.records.map(\.day) == [record])
            #expect(proven.opened?.date == (withSteps ? record.date : nil))
            guard let events = proven.opened?.events else { continue }
            #expect(events.count == record.eventCount && events.sum == record.displayed)
            #expect(events.certificate?.walked == record.walked)
        }
    }

    @Test("a proof with any bit changed is refused, and by any other key")
    func changedProofs() async throws {
        let (proof, signer, _, _) = try await prove(seed: 5, withSteps: true)
        let text = Array(proof.text.utf8)
        for index in text.indices {
            var changed = text
            changed[index] ^= 1 << UInt8(index % 8)
            guard let text = String(validating: changed, as: UTF8.self),
                let proof = SectionProof(text)
            else { continue }
            #expect(throws: DayProofError.self, "\(index)") {
                _ = try ProvenDays(proof, by: signer.verifier)
            }
        }
        let other = try #require(
            NoteSigner(name: "pulselog/test", seed: [UInt8](repeating: 5, count: 32)))
        #expect(throws: DayProofError.self) { _ = try ProvenDays(proof, by: other.verifier) }
    }

    @Test("a proof tells nothing of the heart: no value, no count, no time")
    func privacy() async throws {
        let (proof, _, _, block) = try await prove(seed: 31, withSteps: true)
        let told = proof.section.bytes + proof.attachment
        var heart: [(payload: [UInt8], boot: UInt64)] = []
        try BlockReader.forEach(in: block.span) { event in
            guard event.header.kind.lane == .heart else { return true }
            heart.append(
                (event.withPayload { [UInt8](copying: $0) }, event.header.stamp.bootMilliseconds))
            return true
        }
        #expect(heart.count > 2)
        try BlockReader.forEach(inSection: proof.section.bytes.span, of: .day) { event in
            #expect(event.header.kind == .dayRecorded)
        }
        var stepsTimes: Set<UInt64> = []
        try CanonicalEvents.forEach(in: proof.attachment.span) { event in
            #expect(event.header.kind.lane == .steps)
            stepsTimes.insert(event.header.stamp.bootMilliseconds)
        }
        for value in heart {
            #expect(!told.contains(value.payload))
            var time: [UInt8] = []
            time.appendVarint(value.boot)
            #expect(stepsTimes.contains(value.boot) || !told.contains(time))
        }
        // Beside that there are only hashes, a salt, and the way to the root.
        let sections = try BlockReader.sections(of: block.span)
        #expect(proof.section.bytes.count == sections[BlockReader.section(of: .day)].count)
    }
}

extension [UInt8] {
    /// Whether some bytes stand somewhere within these.
    fileprivate func contains(_ part: [UInt8]) -> Bool {
        guard !part.isEmpty, part.count <= count else { return false }
        return (0...count - part.count).contains { self[$0..<$0 + part.count].elementsEqual(part) }
    }
}
