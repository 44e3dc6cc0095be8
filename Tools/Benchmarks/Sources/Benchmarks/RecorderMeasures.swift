import Clocks
import Deciding
import Events
import EventStore
import EventStoreLMDB
import Projections

/// What the recorder's own way into the log costs: deciding, encoding once, folding once.
///
/// Both sides append the same heart-rate values to a log of their own. The reference is the append
/// alone, of events that are encoded already; in bulk also the least that whoever keeps a state has
/// to do: encode, fold and append, with nothing decided.
extension Measures {
    /// Inputs of one bulk append.
    private static let bulkInputs = 20_000
    private static let bulkRounds = 8
    private static let strap = DeviceID(address: 0xC400_0000_0001, space: .random)

    /// Measures the way, without and with an open goal, which is looked at after each event.
    ///
    /// - Throws: The errors of the stores.
    func measureRecorder() async throws -> [Measure] {
        try await measureRecorder("Recorder", "the recorder", goal: Goal())
            + measureRecorder(
                "RecorderGoal", "the recorder, a goal", goal: Goal(kind: .steps, target: 90_000))
    }

    private func measureRecorder(
        _ name: String, _ title: String, goal: Goal
    ) async throws -> [Measure] {
        progress("recording by \(title)")
        let stores = try workspace.stores("recorder-\(goal.kind)")
        let appended = try makeLog(stores.reference)
        let recorded = try makeLog(stores.swift)
        let machine = Machine(bootID: [UInt8](repeating: 7, count: 16)) { _ in (60, "CET") }
        let appender = Appender(recorded, machine: machine)
        let start = [
            Input(
                .pair(Self.strap, name: "Strap", roles: .heart), at: Self.arrival(second: 0)),
            Input(.start(goal: goal), at: Self.arrival(second: 0)),
        ]
        _ = try await appender.record(start)
        var second: UInt64 = 1
        var plainState = await appender.state
        func time(_ pair: inout WaitingPair, round: Int, count: UInt64) async throws {
            let seconds = second..<second + count
            second += count
            let inputs = Self.inputs(seconds)
            let batch = try Self.batch(of: inputs)
            try await pair.time(round: round) {
                _ = try await appender.record(inputs)
            } reference: {
                _ = try await appended.append(batch, expecting: nil)
            }
        }
        func timeByHand(_ pair: inout WaitingPair, round: Int) async throws {
            let seconds = second..<second + UInt64(Self.bulkInputs)
            second = seconds.upperBound
            let inputs = Self.inputs(seconds)
            try await pair.time(round: round) {
                _ = try await appender.record(inputs)
            } reference: {
                let batch = try Self.batch(of: inputs)
                for index in 0..<batch.count {
                    batch.withEvent(at: index) { _ = plainState.evolve($0) }
                }
                _ = try await appended.append(batch, expecting: nil)
            }
        }
        var (single, bulk, byHand) = (WaitingPair(), WaitingPair(), WaitingPair())
        for round in 0..<options.durableEvents / 2 {
            try await time(&single, round: round, count: 1)
        }
        for round in 0..<Self.bulkRounds {
            try await time(&bulk, round: round, count: UInt64(Self.bulkInputs))
            try await timeByHand(&byHand, round: round)
        }
        recorded.close()
        appended.close()
        return [
            Measure(
                name: "durable\(name)", title: "one event by \(title)", unit: .microseconds,
                swift: single.wall.swift.median, reference: single.wall.reference.median,
                ratio: single.wall.timeRatio, must: .atMost(1.5), goal: .atMost(1.15)),
            Self.bulkMeasure("bulk\(name)", "... in bulk, to append", bulk),
            Self.bulkMeasure("bulkByHand\(name)", "... to encode, fold, append", byHand),
        ]
    }

    private static func bulkMeasure(
        _ name: String, _ title: String, _ pair: WaitingPair
    ) -> Measure {
        let count = Double(bulkInputs * bulkRounds)
        return Measure(
            name: name, title: title, unit: .eventsPerSecond,
            swift: count / pair.wall.swift.total,
            reference: count / pair.wall.reference.total, ratio: pair.wall.rateRatio,
            goal: .atLeast(0.8))
    }

    private static func inputs(_ seconds: Range<UInt64>) -> [Input] {
        seconds.map { Input(.record(value($0)), at: arrival(second: $0)) }
    }

    /// The inputs' events, encoded.
    private static func batch(of inputs: [Input]) throws -> EventBatch {
        var batch = EventBatch()
        for input in inputs {
            guard case .record(let event) = input.command else { continue }
            let moment = input.arrival.moment(bootNumber: 0)
            try batch.append(event, stamp: moment.stamp, flags: moment.flags)
        }
        return batch
    }

    private func makeLog(_ directory: String) throws -> LMDBEventLog {
        var events = EventBatch()
        try events.append(
            .originBegan(OriginBegan()), stamp: Self.arrival(second: 0).moment(bootNumber: 0).stamp,
            flags: .wallTrusted)
        let origin = LogOrigin(
            id: [UInt8](repeating: 0, count: LogOrigin.idBytes), createdMilliseconds: 0,
            events: events)
        return try LMDBEventLog.open(directory: directory, mode: .create(origin))
    }

    private static func arrival(second: UInt64) -> Arrival {
        Arrival(
            bootMilliseconds: 60_000 + second * 1_000,
            wallMilliseconds: 1_772_355_600_000 + Int64(second) * 1_000, isWallTrusted: true)
    }

    private static func value(_ second: UInt64) -> Event {
        let bpm = UInt8(70 + second % 60)
        let interval = 61_440 / UInt16(bpm)
        return .characteristicNotified(
            CharacteristicNotified(
                device: strap,
                value: [0x16, bpm, UInt8(interval & 0xFF), UInt8(interval >> 8)]))
    }
}
