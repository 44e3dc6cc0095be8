internal import BlueZ
internal import BluetoothCentral
internal import Clocks
internal import Events
internal import Projections
internal import Recording

extension InputSource {
    /// Whether the values are made up, or a capture's.
    var isSimulated: Bool {
        if case .central = self { false } else { true }
    }

    /// Feeds inputs until the task is cancelled or there are no more.
    func drive(_ central: Central?, into queue: InputQueue) async {
        switch self {
        case .central: await central?.run()
        case .capture(let capture): await play(capture, into: queue)
        case .simulated: await simulate(into: queue)
        }
    }

    /// Plays what devices sent in a capture, in real time; at its end the session ends.
    private func play(_ capture: Capture, into queue: InputQueue) async {
        var pace = Pace(rate: 1)
        for index in 0..<capture.events.count {
            let event = capture.events.event(at: index)
            switch event.kind.lane {
            case .link, .heart, .place: break
            case .steps where event.kind == .pedometerRead: break
            case .steps where event.kind == .pedometerChosen: break
            case .steps where event.kind == .healthTotalObserved: break
            default: continue
            }
            await pace.wait(for: capture.events.headers[index].stamp)
            guard !Task.isCancelled else { return }
            queue.put(Input(.record(event), at: .now()))
        }
        queue.put(Input(.end(.inputEnded), at: .now()))
    }

    /// A strap that sends a slow wave once a second, and a counter of two steps a second.
    private func simulate(into queue: InputQueue) async {
        let strap = DeviceID(address: 1, space: .other)
        let counter = DeviceID(address: 2, space: .other)
        func put(_ event: Event) {
            queue.put(Input(.record(event), at: .now()))
        }
        put(.linkUp(LinkUp(device: strap, attempt: 1)))
        let clock = ContinuousClock()
        var due = clock.now
        var steps: UInt64 = 0
        for second in 0... {
            let phase = second % 120
            let bpm = UInt64(80 + (phase < 60 ? phase : 120 - phase))
            let interval = 61_440 / bpm
            put(
                .characteristicNotified(
                    CharacteristicNotified(
                        device: strap, characteristic: .heartRateMeasurement,
                        value: [0x16, UInt8(bpm), UInt8(interval & 0xFF), UInt8(interval >> 8)])))
            put(.pedometerRead(PedometerRead(device: counter, reading: .counter(steps))))
            steps += 2
            due += .seconds(1)
            do {
                try await clock.sleep(until: due)
            } catch {
                return  // Cancelled: the recording ends.
            }
        }
    }
}
