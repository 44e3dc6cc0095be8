import BluetoothCentral
import Testing

@testable import SimulatorModel

@Suite("A simulated bluetoothd")
struct DaemonTests {
    @Test("leaves no call without an answer when it ends, and answers none again")
    func crash() {
        var daemon = Daemon(
            (1...3).map { number in
                Strap(
                    BluetoothAddress(0xC4_00_00_00_00_00 + number), name: "Strap",
                    measurement: .heartRateMeasurement)
            })
        for index in 0..<3 { daemon.straps[index].isKnown = true }
        daemon.straps[0].isInRange = false
        daemon.straps[1].isConnected = true
        daemon.obey(CallID(1), .connect(device: daemon.straps[0].path))
        daemon.obey(CallID(2), .disconnect(device: daemon.straps[1].path))
        daemon.obey(CallID(3), .connect(device: daemon.straps[2].path))
        daemon.obey(CallID(4), .listObjects)
        daemon.crash()
        #expect(failed(&daemon) == (1...4).map { CallID($0) })
        daemon.start()
        while let due = daemon.nextDue { daemon.pass(to: due) }
        #expect(failed(&daemon) == [])
    }

    /// The calls that were answered since the last time, each with `NoReply`, in order of number.
    private func failed(_ daemon: inout Daemon) -> [CallID] {
        daemon.takeEffects().compactMap { effect in
            guard case .input(.answered(let id, let answer)) = effect else { return nil }
            guard case .failed(let failure) = answer else {
                Issue.record("\(id) is answered \(answer)")
                return nil
            }
            #expect(failure.name == "org.freedesktop.DBus.Error.NoReply")
            return id
        }.sorted { $0.number < $1.number }
    }
}
