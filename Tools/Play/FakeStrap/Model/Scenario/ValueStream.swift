import BluetoothCentral

/// Values that a strap sends in even time, as a step of a scenario gives them.
struct ValueStream {
    /// What is sent.
    enum Form {
        /// Heart rates that climb and fall again (Bluetooth HRS 1.0, 3.1.1).
        case heart
        /// Flags 0 and the numbers 1 to 200 by turns, so that a missing one is noticed.
        case counter
        /// A foot pod at an even pace (Bluetooth RSCS 1.0, 3.1.1).
        case footPod
    }

    private let form: Form
    private let count: Int
    /// How many values there are in a second.
    private let rate: Double
    private let bpm: ClosedRange<Int>
    private let hasRR: Bool
    private let hasContact: Bool?
    private let pace: Pace

    /// How a foot pod is carried along.
    private struct Pace {
        /// Metres per second.
        var speed = 1.5
        /// Steps per minute.
        var cadence = 110.0
        /// Metres.
        var stride: Double?
        /// Metres at the begin.
        var distance: Double?
    }

    init(reading step: inout ScenarioObject) throws(ScenarioError) {
        let forms: KeyValuePairs<String, Form> = [
            "hr": .heart, "counter": .counter, "rsc": .footPod,
        ]
        form = try step.word("stream", forms) ?? .heart
        rate = try step.number("rate") ?? 1
        guard rate > 0, rate <= 2_000 else { throw step.wrong("rate", "above 0, at most 2000") }
        let duration = try step.milliseconds("for") ?? 10_000
        count = try step.integer("count") ?? Int((Double(duration) * rate / 1_000).rounded())
        guard (0...StepReader.mostSteps / 2).contains(count) else {
            throw step.wrong("count", "0 to \(StepReader.mostSteps / 2) values")
        }
        hasRR = try step.flag("rr") ?? false
        hasContact = try step.flag("contact")
        let ends = try step.integers("bpm")
        guard ends.count <= 2, ends == ends.sorted(), ends.allSatisfy((1...255).contains) else {
            throw step.wrong("bpm", "one or two integers from 1 to 255, the lower one first")
        }
        let low = ends.first ?? 60
        bpm = low...max(ends.last ?? low, low)
        let usual = Pace()
        pace = Pace(
            speed: try step.number("speed") ?? usual.speed,
            cadence: try step.number("cadence") ?? usual.cadence,
            stride: try step.number("stride"), distance: try step.number("distance"))
    }

    func steps(of strap: Int) -> [Scenario.Step] {
        let characteristic: BluetoothUUID =
            form == .footPod ? .runningSpeedCadenceMeasurement : .heartRateMeasurement
        var elapsed: UInt64 = 0
        var beats = 0.0
        return (0..<count).flatMap { index in
            let next = UInt64(Double(index + 1) * 1_000 / rate)
            let pause = next - elapsed
            elapsed = next
            // A value brings the beats since the one before: their intervals fill the time.
            let before = beats.rounded(.down)
            beats += Double(beatsPerMinute(index)) / 60 / rate
            let value = value(index, beats: Int(beats.rounded(.down) - before))
            return [
                Scenario.Step.act(.notify(strap: strap, characteristic, value)),
                .pause(milliseconds: pause),
            ]
        }
    }

    private func beatsPerMinute(_ index: Int) -> Int {
        let width = bpm.upperBound - bpm.lowerBound
        let turn = width == 0 ? 0 : index % (2 * width)
        return bpm.lowerBound + min(turn, 2 * width - turn)
    }

    private func value(_ index: Int, beats: Int) -> [UInt8] {
        switch form {
        case .counter: return [0, UInt8(index % 200 + 1)]
        case .footPod:
            return MeasurementValue.running(
                speed: pace.speed, cadence: pace.cadence, stride: pace.stride,
                distance: pace.distance.map { $0 + pace.speed * Double(index + 1) / rate },
                isRunning: false)
        case .heart:
            let rate = beatsPerMinute(index)
            let intervals = Array(repeating: 60_000 / Double(rate), count: beats)
            return MeasurementValue.heartRate(
                bpm: UInt16(rate), rrMilliseconds: hasRR ? intervals : [], hasContact: hasContact)
        }
    }
}
