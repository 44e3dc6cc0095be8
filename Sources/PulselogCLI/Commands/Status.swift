internal import ArgumentParser
internal import EventStore
internal import Events
internal import Interchange
internal import Projections
internal import Recording
internal import Words

/// `pulselog status`.
struct Status: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Connection, live values, session and today's steps.")
    @OptionGroup var common: CommonOptions

    func run() async throws {
        let store = try Store.open(common, for: .reading)
        let (state, moment, isRecording) = try store.stateNow()
        let hasCentral = try isRecording && !isSimulated(state.live.recorder, store)
        common.write(
            StatusReport(state, isRecording: isRecording, hasCentral: hasCentral, at: moment))
    }

    /// Whether the last recorder takes its values from elsewhere than Bluetooth: its start says so.
    private func isSimulated(
        _ recorder: RecorderState, _ store: Store
    ) throws(CommandFailure) -> Bool {
        guard let start = recorder.startedPosition else { return false }
        return try store.withLog { (log) throws(EventLogError) in
            try log.events(in: start..<start + 1).contains { $0.header.flags.contains(.simulated) }
        }
    }
}
