internal import ArgumentParser
internal import Deciding
internal import EventStoreLMDB
internal import Glibc
internal import Recording
internal import Terminal
internal import Sensors
internal import Words

/// Options of every command.
struct CommonOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Folder of the store.",
            discussion: "Default: $PULSELOG_STORE, else $XDG_DATA_HOME/pulselog, else "
                + "~/.local/share/pulselog.", valueName: "dir"))
    var store: String?

    @Flag(help: "Write JSON to standard output.")
    var json = false

    @Option(help: "Colour: auto, always or never; NO_COLOR is honoured.")
    var color: ColorChoice = .auto

    /// The store's folder, from the option or the environment.
    ///
    /// - Throws: ``CommandFailure`` if neither names one and there is no home folder.
    func storeDirectory() throws(CommandFailure) -> String {
        if let store, !store.isEmpty { return store }
        if let path = environment("PULSELOG_STORE") { return path }
        if let path = environment("XDG_DATA_HOME"), path.hasPrefix("/") {
            return path + "/pulselog"
        }
        guard let home = environment("HOME") else {
            throw CommandFailure(
                .configuration,
                "HOME is not set, so there is no folder for the store; name one with --store.")
        }
        return home + "/.local/share/pulselog"
    }

    /// What is kept of a log outside of its store: the key that signs it, and its last checkpoint.
    ///
    /// - Parameter log: The log.
    /// - Returns: Its folder; nil if the environment names no place for it.
    static func checkpointFolder(of log: LMDBEventLog) -> CheckpointFolder? {
        let state: String
        if let path = environment("XDG_STATE_HOME"), path.hasPrefix("/") {
            state = path
        } else if let home = environment("HOME") {
            state = home + "/.local/state"
        } else {
            return nil
        }
        return CheckpointFolder("\(state)/\(log.origin)")
    }

    /// Writes an answer as it is asked for.
    func write(_ answer: some Answer) {
        Output.standard.write(json ? answer.jsonLine : Array(answer.text.utf8))
    }

    /// What the terminal can that a screen may be drawn on; nil without one.
    var screen: Look? {
        guard Output.standard.isTerminal, environment("TERM") != "dumb" else { return nil }
        return Look(isColored: isColored(.standard))
    }

    /// Whether to colour what goes to `output`.
    func isColored(_ output: Output) -> Bool {
        switch color {
        case .always: true
        case .never: false
        case .auto:
            output.isTerminal && environment("NO_COLOR") == nil
                && environment("TERM") != "dumb"
        }
    }

    /// Where the machine's step counters are, or the folder that stands for it.
    static var stepCounterFolder: String {
        environment("PULSELOG_IIO") ?? KernelStepCounters.kernelFolder
    }

    /// Where the radio switches are, or the folder that stands for it.
    static var radioSwitchFolder: String {
        environment("PULSELOG_RFKILL") ?? RadioSwitches.kernelFolder
    }

    /// Where this machine's gpsd is, if it is not where it always is; none for nowhere.
    static var machineGpsd: PositionOption? {
        environment("PULSELOG_GPSD").flatMap { PositionOption(argument: $0) }
    }

    /// How many events are folded between two snapshots, or what tests put in its place.
    static var snapshotInterval: UInt64 {
        environment("PULSELOG_SNAPSHOT_EVENTS").flatMap { UInt64($0) } ?? FoldedState.usualInterval
    }

    /// Who answers for what a person says, if nobody is named: the user.
    static var author: String { environment("USER") ?? environment("LOGNAME") ?? "walker" }

}

/// When to colour.
enum ColorChoice: String, ExpressibleByArgument, CaseIterable {
    case auto
    case always
    case never
}
