import Certification
import Events
import Testing

@Suite("The certifier of displayed counts")
struct StepsCertifierTests {
    static let date = CivilDate.epoch
    static let pedometer = DeviceID(address: 1, space: .kernel)
    static let pod = DeviceID(address: 2, space: .random)

    /// An event, and what a right program displays after it.
    struct Line: Sendable {
        let event: Event
        var displayed: UInt64
    }

    private static func read(_ count: UInt64) -> Event {
        .pedometerRead(PedometerRead(device: pedometer, reading: .counter(count)))
    }

    private static func pace(_ cadence: UInt8) -> Event {
        .pedometerRead(
            PedometerRead(
                device: pod,
                reading: .characteristic(.runningSpeedCadenceMeasurement, [0, 0, 1, cadence])))
    }

    private static func reconcile(_ trigger: Trigger, _ total: UInt64?) -> Event {
        .reconciliationTriggered(
            ReconciliationTriggered(trigger: trigger, healthTotal: total, date: date))
    }

    /// A day on which every rule of T2 shows; the counts are worked out by hand.
    static let day = [
        Line(event: read(1_000), displayed: 0),
        Line(event: read(1_400), displayed: 400),
        Line(event: reconcile(.observer, 5_000), displayed: 5_000),
        Line(event: read(1_500), displayed: 5_100),
        // The delta wins, and is at 0 from here on.
        Line(event: reconcile(.observer, 4_800), displayed: 5_100),
        Line(event: read(1_520), displayed: 5_120),
        Line(event: reconcile(.manual, nil), displayed: 5_120),
        // The counter begins anew.
        Line(event: read(30), displayed: 5_150),
        Line(
            event: .legacyValueImported(LegacyValueImported(date: date, total: 6_000)),
            displayed: 5_150),
        Line(event: reconcile(.foreground, nil), displayed: 6_000),
        Line(event: read(40), displayed: 6_010),
    ]

    /// Runs a story; a second passes between two events, before a counter is read two minutes.
    private func certify(_ lines: [Line]) throws -> [Certificate] {
        var certifier = StepsCertifier()
        var now: UInt64 = 0
        for (index, line) in lines.enumerated() {
            if case .pedometerRead(let event) = line.event, case .counter = event.reading {
                now += 119_000
            }
            now += 1_000
            let header = EventHeader(
                position: Position(index), source: 0,
                stamp: Stamp(
                    bootMilliseconds: now, wallMilliseconds: Int64(now), bootNumber: 0),
                flags: .wallTrusted, kind: line.event.kind, version: 1)
            let event = RecordedEvent(header: header, event: line.event)
            try certifier.take(event) { $0 == Self.date ? line.displayed : nil }
        }
        let last = lines.last?.displayed
        return try certifier.finish { $0 == Self.date ? last : nil }
    }

    private func counterExample(_ lines: [Line]) -> CounterExample? {
        do {
            _ = try certify(lines)
            return nil
        } catch {
            return error as? CounterExample
        }
    }

    @Test("certifies a day with the two numbers that it is made of")
    func certificate() throws {
        let certificate = try #require(try certify(Self.day).first)
        #expect(certificate.displayed == 6_010)
        #expect(certificate.walked == 560)
        #expect(certificate.lead == 5_450)
        #expect(certificate.leader?.position == 8)
        #expect(certificate.leader?.total == 6_000)
        #expect(certificate.positions == 0...10)
    }

    @Test("integrates a cadence: 55 a minute for 3 s, then held for 5 s at most")
    func cadence() throws {
        var lines = Array(repeating: Line(event: Self.pace(55), displayed: 0), count: 4)
        lines[2].displayed = 1
        lines[3].displayed = 2
        #expect(try certify(lines).first?.walked == 2)
    }

    /// What a faulty program would display, and what is said of it.
    struct Mutation: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let fault: CounterExample.Fault
        let position: Position
        let mutate: @Sendable (inout [Line]) -> Void
    }

    static let mutations = [
        Mutation(testDescription: "a late total makes it fall", fault: .fell, position: 4) {
            $0[4].displayed = 4_800
        },
        Mutation(
            testDescription: "the delta is not reset when a total wins", fault: .tooMany,
            position: 2
        ) { for index in 2..<$0.count { $0[index].displayed += 400 } },
        Mutation(
            testDescription: "the delta is not reset when baseline + delta wins", fault: .tooMany,
            position: 4
        ) { for index in 4..<$0.count { $0[index].displayed += 100 } },
        Mutation(testDescription: "a reading counts twice", fault: .tooMany, position: 5) {
            for index in 5..<$0.count { $0[index].displayed += 20 }
        },
        Mutation(testDescription: "a reading is lost", fault: .tooFew, position: 5) {
            $0[5].displayed = 5_100
        },
        Mutation(
            testDescription: "a counter's new beginning is taken for a negative step", fault: .fell,
            position: 7
        ) { $0[7].displayed = 3_630 },
        Mutation(
            testDescription: "the legacy value counts before a reconciliation", fault: .tooMany,
            position: 8
        ) { $0[8].displayed = 6_000 },
        Mutation(testDescription: "the persisted value is dropped", fault: .tooFew, position: 9) {
            $0[9].displayed = 5_150
        },
        Mutation(testDescription: "one step too many in the end", fault: .tooMany, position: 10) {
            $0[10].displayed += 1
        },
    ]

    @Test("catches what a faulty program would display", arguments: mutations)
    func catches(_ mutation: Mutation) throws {
        var lines = Self.day
        mutation.mutate(&lines)
        let example = try #require(counterExample(lines))
        #expect(example.fault == mutation.fault)
        #expect(example.position == mutation.position)
        #expect(example.date == Self.date)
        #expect(example.expected == Self.day[Int(mutation.position)].displayed)
    }

    @Test("catches every event of which the log holds another one than was displayed")
    func alteredLog() throws {
        for index in Self.day.indices {
            var lines = Self.day
            switch lines[index].event {
            case .pedometerRead(var event):
                guard case .counter(let count) = event.reading else { continue }
                event.reading = .counter(count + 7)
                lines[index] = Line(
                    event: .pedometerRead(event), displayed: lines[index].displayed)
            case .legacyValueImported(var event):
                event.total += 7
                lines[index] = Line(
                    event: .legacyValueImported(event), displayed: lines[index].displayed)
            case .reconciliationTriggered(var event):
                // A total that does not win changes nothing.
                guard let total = event.healthTotal, total == lines[index].displayed else {
                    continue
                }
                event.healthTotal = total + 7
                lines[index] = Line(
                    event: .reconciliationTriggered(event), displayed: lines[index].displayed)
            default: continue
            }
            #expect(counterExample(lines) != nil, "position \(index)")
        }
    }

    @Test("catches an event that was dropped", arguments: [1, 2, 3, 5, 7, 8, 9, 10])
    func droppedEvent(index: Int) {
        var lines = Self.day
        lines.remove(at: index)
        if index == 10 { lines[9].displayed = 6_010 }
        #expect(counterExample(lines) != nil)
    }

    @Test("catches a day that changes without an event")
    func unspokenDay() throws {
        var certifier = StepsCertifier()
        let header = EventHeader(
            position: 0, source: 0,
            stamp: Stamp(bootMilliseconds: 0, wallMilliseconds: 0, bootNumber: 0),
            flags: .wallTrusted, kind: .pedometerRead, version: 1)
        try certifier.take(RecordedEvent(header: header, event: Self.read(1))) { _ in 0 }
        #expect(throws: CounterExample.self) { _ = try certifier.finish { _ in 3 } }
    }
}

extension StepsCertifier {
    fileprivate mutating func take(
        _ event: RecordedEvent, displayed: (CivilDate) -> UInt64?
    ) throws {
        let payload = try event.event.encodedPayload()
        try EventView.lend(event.header, payload: payload.span) { (event) throws(CounterExample) in
            try take(event, displayed: displayed)
        }
    }
}
