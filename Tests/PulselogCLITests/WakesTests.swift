import BluetoothCentral
import Testing

@testable import PulselogCLI

/// What waits for the director of a recording.
@Suite("Wakes")
struct WakesTests {
    static let one = BluetoothAddress(0xC400_0000_0001)
    static let two = BluetoothAddress(0xC400_0000_0002)

    private func note(_ report: CentralReport, at now: UInt64, _ wakes: Wakes) {
        guard let heard = HeardReport(report, at: now) else { return }
        wakes.note { $0.reports.append(heard) }
    }

    @Test("drops the oldest reports, but of no device the last word about its link")
    func lastWords() {
        let wakes = Wakes()
        note(.linkLost(Self.one, LinkLoss()), at: 0, wakes)
        note(.linkUp(DeviceSighting(address: Self.one)), at: 1, wakes)
        note(.linkLost(Self.two, LinkLoss()), at: 2, wakes)
        for number in UInt64(3)..<1_000 {
            note(.connecting(DeviceSighting(address: Self.one), attempt: 1), at: number, wakes)
        }
        let reports = wakes.take().reports
        #expect(reports.count == 64)
        #expect(reports.prefix(2).map(\.bootMilliseconds) == [1, 2])
        #expect(reports.dropFirst(2).map(\.bootMilliseconds) == Array(938..<1_000))
        #expect(wakes.take().reports.isEmpty)
    }
}
