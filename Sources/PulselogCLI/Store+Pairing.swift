internal import BluetoothCentral
internal import EventStore
internal import EventStoreLMDB
internal import Events
internal import Projections
internal import Recording
internal import Stores
internal import Words

/// A strap that the walker has chosen beside the recorder of another process.
struct ChosenStrap: Sendable {
    /// Its identity.
    let device: DeviceID
    /// The events that were appended.
    let events: [RecordedEvent]
    /// The first position that may tell that the recorder is connected to it.
    let start: Position
    /// The command that goes back to what was before.
    let wayBack: String
}

extension Store {
    /// Chooses a strap beside the recorder of another process, which alone uses Bluetooth: what is
    /// appended makes it look for the strap.
    ///
    /// - Parameter address: The strap's address.
    /// - Returns: The choice, which holds whether or not the strap comes.
    /// - Throws: ``CommandFailure`` if the recorder would not connect to it.
    func chooseBesideRecorder(_ address: UInt64) async throws -> ChosenStrap {
        let seen = try state().seenByOthers(isRecording: true)
        let reason = seen.reasonAgainst(strap: address)
        if let reason { throw CommandFailure(.tryAgain, reason) }
        let devices = seen.own.devices
        let known = devices.all.first { $0.id.address == address }
        // Most straps have random addresses; the two highest bits say so (Core 5.4, 6.B.1.3).
        let device =
            known?.id ?? DeviceID(address: address, space: address >> 46 == 3 ? .random : .public)
        let roles = (known?.roles ?? []).union(.heart)
        var events: [RecordedEvent] = []
        if known?.pairedAt == nil || known?.roles != roles {
            events = try await perform { _ in .pair(device, name: nil, roles: roles) }.events
        }
        events += try await perform { _ in .makePrimary(device, .heart) }.events
        let former = devices.primary(.heart).map { BluetoothAddress($0.address) }
        return ChosenStrap(
            device: device, events: events, start: seen.next,
            wayBack: former.map { "pulselog devices primary \($0)" }
                ?? "pulselog devices forget \(BluetoothAddress(address))")
    }

    /// Waits until the recorder is notified of heart rate by a strap that was chosen.
    ///
    /// - Parameters:
    ///   - choice: The choice.
    ///   - seconds: The longest time to wait.
    /// - Returns: Whether it is; false as well if the log cannot be followed.
    func isHeard(_ choice: ChosenStrap, within seconds: Int) async -> Bool {
        await value(within: .seconds(seconds)) { await isSubscribed(choice) } == true
    }

    private func isSubscribed(_ choice: ChosenStrap) async -> Bool {
        var next = choice.start
        do throws(EventLogError) {
            while true {
                try await log.waitForEvent(at: next)
                for event in try log.events(in: next..<log.next) {
                    next = event.header.position + 1
                    if case .subscribed(let event) = event.event, event.device == choice.device,
                        event.characteristic == .heartRateMeasurement
                    {
                        return true
                    }
                }
            }
        } catch {
            return false  // It takes too long, or the log has gone.
        }
    }
}

extension LogState {
    /// Why the recorder would not connect to a strap if it were chosen now; nil if it would.
    fileprivate func reasonAgainst(strap address: UInt64) -> String? {
        guard !isSimulated else {
            return "The recorder is simulating. `pulselog finish` ends it."
        }
        if let strap = own.devices.paired.first(where: \.isHeard) {
            guard strap.id.address != address else {
                return "The recorder is connected to it already."
            }
            return "The recorder is connected to \(DeviceTitle(strap)). Pair another strap after "
                + "the walk."
        }
        guard !own.sessions.isAtRest else {
            return "The walk is paused, and in a pause no heart rate is recorded. "
                + "`pulselog resume` goes on with it; pair the strap then."
        }
        guard own.devices.primary(.heart)?.address != address else {
            return "It is paired and primary already; the recorder is looking for it."
        }
        return nil
    }
}

extension Device {
    /// Whether heart rate comes from it; a link to a watch may be there for its steps only.
    fileprivate var isHeard: Bool {
        guard link.isUp, roles.contains(.heart) else { return false }
        return roles == .heart || link.lastValueAt.map { $0 >= link.upSince ?? 0 } ?? false
    }
}
