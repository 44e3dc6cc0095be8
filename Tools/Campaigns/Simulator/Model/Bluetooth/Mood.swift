import DaemonModel

extension Bluetooth {
    /// What may happen at the next occasion, once.
    enum Mood: String, CaseIterable {
        case connectFails, connectAborts, connectBusy, connectHangs, connectForNothing
        case neverResolves, servicesLate, servicesMissing
        case notifyFails, notifyHangs, notifySilent, readHangs
        case scanFails, listingFails, denied

        /// The method whose next call is the occasion.
        var member: String {
            switch self {
            case .connectFails, .connectAborts, .connectBusy, .connectHangs, .connectForNothing,
                .neverResolves, .servicesLate, .servicesMissing:
                "Connect"
            case .notifyFails, .notifyHangs, .notifySilent: "StartNotify"
            case .readHangs: "ReadValue"
            case .scanFails: "StartDiscovery"
            case .listingFails, .denied: "GetManagedObjects"
            }
        }

        /// What happens then, to a call of that method for a strap.
        func action(of strap: Int) -> Scenario.Action {
            let never: UInt64 = 7 * 24 * 3_600_000
            var faults = Strap.Faults()
            switch self {
            case .connectFails: return fail("le-connection-abort-by-local")
            case .connectBusy: return fail("Operation already in progress")
            case .notifyFails: return fail("Operation failed with ATT error: 0x80")
            case .scanFails, .listingFails: return fail("")
            case .denied:
                let name = "org.freedesktop.DBus.Error.AccessDenied"
                return .reply(.refusal(name: name, message: ""), to: member)
            case .connectForNothing, .notifySilent: return .reply(.done, to: member)
            case .notifyHangs, .readHangs: return .reply(.silence, to: member)
            case .connectAborts: faults.brokenLinks = 1
            case .connectHangs: faults.isLosingAttempts = true
            case .neverResolves: faults.servicesDelayMilliseconds = never
            case .servicesLate: faults.objectsDelayMilliseconds = 2_300
            case .servicesMissing: faults.objectsDelayMilliseconds = never
            }
            return .setFaults(strap: strap, faults)
        }

        private func fail(_ message: String) -> Scenario.Action {
            .reply(.failure(message), to: member)
        }
    }
}

extension Scenario.Reply {
    /// The refusal that bluetoothd gives for most reasons.
    static func failure(_ message: String) -> Scenario.Reply {
        .refusal(name: "org.bluez.Error.Failed", message: message)
    }
}
