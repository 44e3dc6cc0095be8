/// Values that a strap sends in even time, as a step of a scenario gives them.
struct ValueStream {
    /// What is sent.
    enum Form: String {
        /// Heart rates that climb and fall again (Bluetooth HRS 1.0, 3.1.1).
        case heart = "hr"
        /// Flags 0 and the numbers 1 to 200 by turns, so that a missing one is noticed.
        case counter
        /// A foot pod at an even pace (Bluetooth RSCS 1.0, 3.1.1).
        case footPod = "rsc"
    }

    private let form: Form
    private let count: Int
    /// How many values there are in a second.
    private let rate: Double
    private let bpm: ClosedRange<Int>
    private let hasRR: Bool
    private let hasContact: Bool

    init(reading step: inout ScenarioObject) throws(ScenarioError) {
        guard let form = try step.text("stream").flatMap({ Form(rawValue: $0) }) else {
            throw step.wrong("stream", "hr, counter or rsc")
        }
        self.form = form
        let duration = try step.milliseconds("for") ?? 10_000
        rate = try step.number("rate") ?? 1
        guard rate > 0, rate <= 1_000 else { throw step.wrong("rate", "above 0, at most 1000") }
        count = Int((Double(duration) * rate / 1_000).rounded())
        hasRR = try step.flag("rr") ?? false
        hasContact = try step.flag("contact") ?? false
        let ends = try step.integers("bpm")
        guard ends.allSatisfy((1...255).contains) else {
            throw step.wrong("bpm", "one or two integers from 1 to 255")
        }
        let low = ends.first ?? 60
        bpm = low...max(ends.last ?? low, low)
    }

    func steps(of strap: Int) -> [Scenario.Step] {
        let characteristic: GattUUID =
            form == .footPod ? .runningSpeedCadenceMeasurement : .heartRateMeasurement
        var elapsed: UInt64 = 0
        return (0..<count).flatMap { index in
            let next = UInt64(Double(index + 1) * 1_000 / rate)
            let pause = next - elapsed
            elapsed = next
            return [
                Scenario.Step.act(.notify(strap: strap, characteristic, value(index))),
                .pause(milliseconds: pause),
            ]
        }
    }

    private func value(_ index: Int) -> [UInt8] {
        switch form {
        case .counter: return [0, UInt8(index % 200 + 1)]
        case .footPod:
            // Walking: 1.5 m/s in 1/256 m/s, 110 steps a minute.
            return [0, 0x80, 0x01, 110]
        case .heart:
            let width = bpm.upperBound - bpm.lowerBound
            let turn = width == 0 ? 0 : index % (2 * width)
            let rate = bpm.lowerBound + min(turn, 2 * width - turn)
            // Bits 1 and 2: contact is supported and there; bit 4: RR intervals follow.
            let flags: UInt8 = (hasContact ? 0x06 : 0) | (hasRR ? 0x10 : 0)
            guard hasRR else { return [flags, UInt8(rate)] }
            let rr = UInt16(60 * 1_024 / rate)
            return [flags, UInt8(rate), UInt8(rr & 0xFF), UInt8(rr >> 8)]
        }
    }
}
