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
        let isSimulated = try store.withLog { (log) throws(EventLogError) in
            try log.isSimulated(state.live.recorder)
        }
        common.write(
            StatusReport(
                state, isRecording: isRecording, hasCentral: isRecording && !isSimulated,
                at: moment))
    }
}
