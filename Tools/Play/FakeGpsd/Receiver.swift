import Clocks
import Foundation
import TestSupport
import Text

/// A receiver on its way along a track: at a place by the clock, whoever listens.
struct Receiver: Sendable {
    let places: [GpsdLines.Place]
    let intervalMilliseconds: UInt64
    let satellites: Int
    private let start = Arrival.now().bootMilliseconds

    /// Speaks to a client until it goes.
    func serve(_ client: LoopbackConnection) {
        guard client.send(GpsdLines.version), client.receive() != nil,
            client.send(GpsdLines.watched + GpsdLines.empty)
        else { return }
        while client.send(epoch(at: Arrival.now())) {
            let past = (Arrival.now().bootMilliseconds - start) % intervalMilliseconds
            Thread.sleep(forTimeInterval: Double(intervalMilliseconds - past) / 1_000)
        }
    }

    /// What is told of the present epoch; past the track's end it begins anew.
    private func epoch(at now: Arrival) -> String {
        let past = now.bootMilliseconds - start
        let index = past / intervalMilliseconds
        let time = now.wallMilliseconds - Int64(past % intervalMilliseconds)
        return GpsdLines.epoch(
            TimeText.utc(time), at: places[Int(index % UInt64(places.count))],
            satellites: satellites)
    }

    init(places: [GpsdLines.Place], intervalMilliseconds: UInt64, satellites: Int) {
        (self.places, self.intervalMilliseconds) = (places, intervalMilliseconds)
        self.satellites = satellites
    }
}
