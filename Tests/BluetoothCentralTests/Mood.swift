@testable import BluetoothCentral
@testable import SimulatorModel

/// What the world can do to a central.
enum Mood: Hashable, CaseIterable {
    case crash, start, restart
    case powerOff, powerOn, unplug, plug
    case outOfRange, backInRange, dropLink, forgetDevice, stopScan
    /// What bluetoothd does at the next occasion, once.
    case daemon(Bluetooth.Mood)
    case wait1, wait10, wait60
    case want, wantNothing, pause, scan
    case weaken

    static let allCases: [Mood] =
        [
            .crash, .start, .restart, .powerOff, .powerOn, .unplug, .plug, .outOfRange,
            .backInRange, .dropLink, .forgetDevice, .stopScan,
        ] + Bluetooth.Mood.allCases.map(Mood.daemon)
        + [.wait1, .wait10, .wait60, .want, .wantNothing, .pause, .scan, .weaken]
}

extension MoodyWorld {
    mutating func fall(into mood: Mood) {
        switch mood {
        case .crash: crash { $0.crash() }
        case .start: change { $0.start() }
        case .restart: crash { $0.restart() }
        case .powerOff: change { $0.power(false) }
        case .powerOn: change { $0.power(true) }
        case .unplug: change { $0.plug(false) }
        case .plug: change { $0.plug(true) }
        case .outOfRange: change { $0.setRange(0, isInRange: false) }
        case .backInRange: change { $0.setRange(0, isInRange: true) }
        case .dropLink: change { $0.dropLink(0) }
        case .forgetDevice: change { $0.forget(0) }
        case .stopScan: change { $0.stopScan() }
        case .daemon(let mood): change { $0.moods.insert(mood) }
        case .wait1: run(milliseconds: 1_000)
        case .wait10: run(milliseconds: 10_000)
        case .wait60: run(milliseconds: 60_000)
        case .want: want(Self.wanted)
        case .wantNothing: want(CentralDesire())
        case .pause: want(Self.paused)
        case .scan:
            var desire = Self.wanted
            desire.scanning = .services([.heartRate])
            want(desire)
        case .weaken: change { $0.straps[0].weakAttempts = 3 }
        }
    }

    /// The world becomes willing, and the strap is wanted.
    mutating func heal(wanting desire: CentralDesire = wanted) {
        change { $0.heal() }
        want(desire)
    }
}
