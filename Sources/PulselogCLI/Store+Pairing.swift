internal import BluetoothCentral
internal import EventStore
internal import EventStoreLMDB
internal import Events
internal import Projections
internal import Recording
internal import Stores
internal import Words

extension Store {
    /// Pairs a strap beside the recorder of another process.
    ///
    /// Only the recorder uses Bluetooth: what is appended makes it connect. If it does not in time,
    /// all is as before.
    ///
    /// - Parameters:
    ///   - address: The strap's address.
    ///   - seconds: How long the recorder may take to be notified by it.
    /// - Returns: The events that were appended.
    /// - Throws: ``CommandFailure``.
    func pairBesideRecorder(
        _ address: UInt64, seconds: Int
    ) async throws -> [RecordedEvent] {
        let seen = try state().seenByOthers(isRecording: true)
        guard !seen.isSimulated else {
            throw CommandFailure(
                .tryAgain, "The recorder makes up what it records. `pulselog finish` ends it.")
        }
        let devices = seen.live.devices
        let former = devices.primary(.heart)
        if let former, devices[former]?.link.isUp == true || former.address == address {
            throw CommandFailure(
                .tryAgain,
                former.address == address
                    ? "It is paired and primary already; the recorder is looking for it."
                    : "A walk is being recorded with another strap. Pair this one after it.")
        }
        let known = devices.all.first { $0.id.address == address }
        // Most straps have random addresses; the two highest bits say so (Core 5.4, 6.B.1.3).
        let device =
            known?.id ?? DeviceID(address: address, space: address >> 46 == 3 ? .random : .public)
        let roles = (known?.roles ?? []).union(.heart)
        var events = try await perform { _ in .pair(device, name: nil, roles: roles) }.events
        events += try await perform { _ in .makePrimary(device, .heart) }.events
        let isHeard = await value(within: .seconds(seconds)) { [start = seen.next] in
            await isSubscribed(device, after: start)
        }
        guard isHeard != true else { return events }
        if let former { _ = try await perform { _ in .makePrimary(former, .heart) } }
        if known?.pairedAt == nil { _ = try await perform { _ in .forget(device) } }
        let title = DeviceSighting(address: BluetoothAddress(address)).title
        throw CommandFailure(
            .unavailable,
            PairingFlow.Failure.notSeen(trouble: nil)
                .sentence(of: title, BluetoothAddress(address), seconds: seconds)
                + " Nothing was paired.")
    }

    /// Waits until the recorder is notified by a device; false if the log cannot be followed.
    private func isSubscribed(_ device: DeviceID, after start: UInt64) async -> Bool {
        var next = start
        do throws(EventLogError) {
            while true {
                try await log.waitForEvent(at: next)
                for event in try log.events(in: next..<log.next) {
                    next = event.header.position + 1
                    if case .subscribed(let event) = event.event, event.device == device {
                        return true
                    }
                }
            }
        } catch {
            return false  // It takes too long, or the log has gone.
        }
    }
}
