internal import Clocks
internal import Events
internal import Projections
package import Recording
internal import Words

/// A strap that sends a slow wave once a second, and a counter of two steps a second.
package struct SimulatedStrap: Sensor {
    /// Makes a strap that has sent nothing yet.
    package init() {}

    /// Sends until the task is cancelled.
    package func run(into inbox: Inbox) async {
        inbox.insist(Arrived(.said(Narrator.simulation), at: .now()))
        let strap = DeviceID(address: 1, space: .other)
        let counter = DeviceID(address: 2, space: .other)
        func put(_ event: Event) {
            inbox.put(Arrived(.read(.record(event)), at: .now()))
        }
        put(.linkUp(LinkUp(device: strap, attempt: 1)))
        let clock = ContinuousClock()
        var due = clock.now
        var steps: UInt64 = 0
        /// When the last beat was, in 1/1024 s.
        var beatAt: UInt64 = 0
        for second in 0... {
            let phase = second % 120
            let bpm = UInt64(80 + (phase < 60 ? phase : 120 - phase))
            let interval = 61_440 / bpm
            var intervals: [UInt8] = []
            while beatAt + interval <= UInt64(second) * 1_024 {
                beatAt += interval
                intervals += [UInt8(interval & 0xFF), UInt8(interval >> 8)]
            }
            put(
                .characteristicNotified(
                    CharacteristicNotified(
                        device: strap, characteristic: .heartRateMeasurement,
                        value: [intervals.isEmpty ? 0x06 : 0x16, UInt8(bpm)] + intervals)))
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
