import Certification
import Clocks
import EventStore
import Events
import Projections
import Recording
import TamperEvidence
import TestSupport
import Testing

@Suite("Records of days")
struct DayRecordTests {
    private static let watch = DeviceID(address: 2, space: .kernel)
    private static let day: UInt64 = 86_400_000

    private func read(_ count: UInt64, at milliseconds: UInt64) -> Input {
        Input(
            .record(.pedometerRead(PedometerRead(device: Self.watch, reading: .counter(count)))),
            at: arrival(after: milliseconds))
    }

    /// A log of some days with readings, totals and corrections, from a seed.
    private func makeLog(seed: UInt64, days: UInt64) async throws -> (InMemoryEventLog, Appender) {
        var random = SeededGenerator(seed: seed)
        let log = InMemoryEventLog()
        let appender = Appender(log, machine: machine)
        var (count, now): (UInt64, UInt64) = (100, 0)
        while now < days * Self.day {
            now += random.below(Self.day / 6)
            count = random.chance(5) ? random.below(50) : count + random.below(900)
            var input = read(count, at: now)
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

    private func records(_ log: InMemoryEventLog) throws -> [DayClosed] {
        try log.all.compactMap { event in
            if case .dayClosed(let day) = event { day } else { nil }
        }
    }

    @Test("are made of each day that is over, once, whoever asks and when", arguments: 1...6)
    func closing(_ seed: UInt64) async throws {
        let (log, appender) = try await makeLog(seed: seed, days: 4)
        let state = await appender.state
        let made = try await appender.closeDays(at: arrival(after: 4 * Self.day))
        let days = state.live.steps.days.filter { $0.firstStepsIndex != nil }
        #expect(made == days.count - 1)
        let records = try records(log)
        #expect(records.map(\.date) == days.dropLast().map(\.date))
        #expect(records.map(\.displayed) == days.dropLast().map(\.displayed))
        #expect(records.first?.firstStepsIndex == days.first?.firstStepsIndex)
        for (record, next) in zip(records, records.dropFirst()) {
            #expect(record.endStepsIndex == next.firstStepsIndex, "No event is in none, or in two.")
        }
        #expect(try log.wrongDayRecord() == nil)
        let again = try await appender.closeDays(at: arrival(after: 4 * Self.day))
        #expect(again == 0)
        #expect(await appender.state.live.steps == state.live.steps, "Folds pass claims over.")
    }

    @Test("are the same in one go or one by one", arguments: 1...4)
    func piecemeal(_ seed: UInt64) async throws {
        let (whole, appender) = try await makeLog(seed: seed, days: 5)
        _ = try await appender.closeDays(at: arrival(after: 5 * Self.day))
        let parts = InMemoryEventLog()
        let other = Appender(parts, machine: machine)
        for event in try whole.events(in: 0..<whole.next) {
            if case .dayClosed = event.event { continue }
            var batch = EventBatch()
            try batch.append(event.event, stamp: event.header.stamp, flags: event.header.flags)
            _ = try await parts.append(batch, expecting: nil)
            let stamp = event.header.stamp
            let now = Arrival(
                bootMilliseconds: stamp.bootMilliseconds, wallMilliseconds: stamp.wallMilliseconds,
                isWallTrusted: true)
            _ = try await other.closeDays(at: now)
        }
        #expect(try records(parts) == records(whole))
        #expect(try parts.wrongDayRecord() == nil)
    }

    @Test("a record that says something else is found, whatever it says otherwise")
    func wrong() async throws {
        let (log, appender) = try await makeLog(seed: 9, days: 3)
        let good = try #require(try log.missingDayRecords().first)
        let other = try #require(CivilDate("2026-04-01"))
        let changes: [(inout DayClosed) -> Void] = [
            { $0.displayed += 1 }, { $0.corrected -= 1 }, { $0.firstStepsIndex += 1 },
            { $0.endStepsIndex += 1 }, { $0.offsetMinutes = 60 }, { $0.stepsSHA256[0] ^= 1 },
            { $0.previousDaySHA256[31] ^= 1 }, { $0.date = other },
        ]
        for change in changes {
            var bad = good
            change(&bad)
            let copy = InMemoryEventLog()
            var batch = EventBatch()
            for event in try log.events(in: 0..<log.next) {
                try event.withView { (view) throws(FieldError) in try batch.append(view) }
            }
            let moment = arrival(after: 3 * Self.day).moment(bootNumber: 0)
            try batch.append(.dayClosed(bad), stamp: moment.stamp, flags: moment.flags)
            _ = try await copy.append(batch, expecting: nil)
            let wrong = try #require(try copy.wrongDayRecord())
            #expect(wrong.recorded == bad && wrong.expected == good)
            #expect(try copy.missingDayRecords().isEmpty)
        }
        _ = try await appender.record([Input(.record(.dayClosed(good)), at: arrival(after: 0))])
        #expect(try log.wrongDayRecord() == nil)
        _ = try await appender.record([Input(.record(.dayClosed(good)), at: arrival(after: 0))])
        #expect(try log.wrongDayRecord()?.recorded == good, "Twice is once too often.")
    }

    // MARK: - Proofs

    /// A log of one block with the records of days, sealed under a key.
    private func prove(
        seed: UInt64, withSteps: Bool
    ) async throws -> (SectionProof, NoteSigner, DayClosed, [UInt8]) {
        let (log, appender) = try await makeLog(seed: seed, days: 2)
        _ = try await appender.closeDays(at: arrival(after: 2 * Self.day))
        let found = try #require(try log.lastDayRecord())
        var block: [UInt8] = []
        try log.readBlocks(from: found.position) { bytes in
            block = [UInt8](copying: bytes)
            return false
        }
        let salts = SectionSalts(secret: [UInt8](repeating: 3, count: 32))
        let section = try OpenedSection(of: .day, in: block, ordinal: 0, salts: salts)
        var tree = MerkleTree()
        tree.append(section.leaf)
        let signer = try #require(
            NoteSigner(name: "pulselog/test", seed: [UInt8](repeating: 4, count: 32)))
        let note = try Checkpoint(origin: "pulselog/test", size: 1, root: tree.root)
            .signed(by: signer)
        let steps = withSteps ? try log.canonicalSteps(of: found.record, from: 0) : []
        let proof = SectionProof(
            section, attachment: steps, inclusion: InclusionProof(index: 0, siblings: []),
            checkpoint: note)
        return (proof, signer, found.record, block)
    }

    @Test("are proven by a file and a key, with the day's steps if they are laid open")
    func proofs() async throws {
        for withSteps in [false, true] {
            let (proof, signer, record, _) = try await prove(seed: 21, withSteps: withSteps)
            let read = try #require(SectionProof(proof.text))
            #expect(read == proof)
            let proven = try ProvenDays(read, by: signer.verifier)
            #expect(proven.days.contains(record))
            #expect((proven.steps != nil) == withSteps)
            if withSteps {
                #expect(proven.steps?.date == record.date)
                #expect(proven.steps?.events == record.endStepsIndex - record.firstStepsIndex)
            }
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
            #expect(event.header.kind == .dayClosed)
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
        let opened = sections[BlockReader.section(of: .day)].count
        #expect(proof.section.bytes.count == opened)
    }
}

extension [UInt8] {
    /// Whether some bytes stand somewhere within these.
    fileprivate func contains(_ part: [UInt8]) -> Bool {
        guard !part.isEmpty, part.count <= count else { return false }
        return (0...count - part.count).contains { self[$0..<$0 + part.count].elementsEqual(part) }
    }
}
