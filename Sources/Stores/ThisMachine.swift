internal import Clocks
package import Deciding
package import EventStoreLMDB
package import Recording
package import Sensors
internal import Terminal
internal import WalkService
internal import Words

extension Machine {
    /// The machine that this program runs on.
    ///
    /// - Throws: ``CommandFailure`` if `/proc` is not mounted.
    package static func this() throws -> Machine {
        // The kernel's identity of this boot: 16 bytes.
        let path = "/proc/sys/kernel/random/boot_id"
        let text = try FilePlace.contents(of: path, limitBytes: 64)
        let digits = text.filter { $0 != UInt8(ascii: "-") && $0 != UInt8(ascii: "\n") }
            .compactMap { Character(UnicodeScalar($0)).hexDigitValue }
        try require(
            digits.count == 32, .internalError, "\(path) is not as expected; is /proc mounted?")
        let bootID = (0..<16).map { UInt8(digits[2 * $0] << 4 | digits[2 * $0 + 1]) }
        return Machine(bootID: bootID, zone: LocalZone.zone(atWallMilliseconds:))
    }
}

/// Where the environment says that something of this machine is, or what tests put in its place.
package enum Surroundings {
    /// Finds the folder that a variable names, or one in the home folder.
    ///
    /// - Parameters:
    ///   - variable: The variable, of the XDG base directories.
    ///   - usual: The folder's usual path from the home folder on.
    /// - Returns: Its path; nil without a home.
    package static func folder(_ variable: String, orAtHome usual: String) -> String? {
        if let path = environment(variable), path.hasPrefix("/") { return path }
        return environment("HOME").map { "\($0)/\(usual)" }
    }

    /// The folder of the keys and checkpoints of all logs; nil without a home.
    package static var stateFolder: String? {
        folder("XDG_STATE_HOME", orAtHome: ".local/state").map { "\($0)/pulselog" }
    }

    /// Where the machine's step counters are.
    package static var stepCounters: String {
        environment("PULSELOG_IIO") ?? KernelStepCounters.kernelFolder
    }

    /// Where the radio switches are.
    package static var radioSwitches: String {
        environment("PULSELOG_RFKILL") ?? RadioSwitches.kernelFolder
    }

    /// How many events are folded between two snapshots.
    static var snapshotInterval: UInt64 {
        environment("PULSELOG_SNAPSHOT_EVENTS").flatMap { UInt64($0) } ?? FoldedState.usualInterval
    }
}

extension CheckpointFolder {
    /// What is kept of a log outside of its store: the key that signs it, and its last checkpoint.
    ///
    /// - Parameter log: The log.
    /// - Returns: Its folder; nil if the environment names no place for it.
    package static func usual(for log: LMDBEventLog) -> CheckpointFolder? {
        Surroundings.folder("XDG_STATE_HOME", orAtHome: ".local/state").map {
            CheckpointFolder("\($0)/\(log.origin)")
        }
    }
}

extension BluetoothSensor {
    /// The straps and pedometers of this machine.
    package static var machine: BluetoothSensor {
        BluetoothSensor { RadioSwitches(in: Surroundings.radioSwitches).block }
    }
}

extension PositionSource {
    /// The source of a recording's positions.
    ///
    /// - Parameters:
    ///   - source: What somebody asked for; nil for this machine's gpsd if it runs.
    ///   - isLive: Whether the other values come from the world; if not, nothing is asked unasked.
    /// - Returns: The sensor; nil if no positions are to be recorded.
    package static func sensor(_ source: PositionSource?, isLive: Bool) -> (any Sensor)? {
        let machine = environment("PULSELOG_GPSD").flatMap { PositionSource($0) }
        return (source ?? (isLive ? .gpsd : .none)).sensor(isAskedFor: source != nil, machine)
    }
}

extension KernelStepCounters {
    /// The counters as a plan names them.
    package var planned: [SessionPlan.StepCounter] {
        found.map { SessionPlan.StepCounter($0.device, name: $0.name) }
    }
}

extension Equipment {
    /// A recorder from the world, for whoever sets up a walk in a browser.
    static func machine(_ begins: SessionPlan.Beginning) -> Equipment {
        let counters = KernelStepCounters(in: Surroundings.stepCounters)
        let plan = SessionPlan(
            begins: begins, isWatched: true, counters: counters.planned,
            programVersion: Version.text)
        let sensors: [(any Sensor)?] = [
            BluetoothSensor.machine, StepCounterWatch(counters),
            PositionSource.sensor(nil, isLive: true),
        ]
        return Equipment(plan, sensors.compactMap { $0 })
    }
}
