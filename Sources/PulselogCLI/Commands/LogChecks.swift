internal import ArgumentParser
internal import EventStore
internal import EventStoreLMDB
internal import Events
internal import Interchange
internal import Projections
internal import Recording
internal import Words

extension LogCommand {
    /// `pulselog log stats`.
    struct Statistics: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "stats", abstract: "Events, blocks and bytes.")
        @OptionGroup var common: CommonOptions

        func run() async throws {
            let store = try Store.open(common, for: .reading)
            let statistics = try store.withLog { (log) throws(EventLogError) in
                try log.statistics()
            }
            let snapshot = Self.snapshot(of: store)
            if common.json {
                Output.standard.write(
                    JSONWriter.line { line in
                        line.field("events", statistics.events)
                        line.field("blocks", statistics.blocks)
                        line.field("fileBytes", statistics.fileBytes)
                        line.field("mapSizeBytes", statistics.mapSizeBytes)
                        line.field("snapshotEvents", snapshot?.events)
                        line.field("snapshotBytes", snapshot?.bytes)
                        line.object("lanes") { lanes in
                            for lane in Lane.allCases {
                                lanes.field("\(lane)", statistics.events(in: lane))
                            }
                        }
                    })
                return
            }
            var text = printable(store.directory, limit: 200) + "\n"
            text += "\(counted(statistics.events, "event")) in "
            text += "\(counted(UInt64(statistics.blocks), "block")), "
            text += "\(grouped(UInt64(statistics.fileBytes))) bytes on disk\n"
            if let snapshot {
                text += "snapshot of the first \(counted(snapshot.events, "event")), "
                text += "\(grouped(UInt64(snapshot.bytes))) bytes\n"
            }
            var table = TextTable(.words("lane"), .numbers("events"))
            for lane in Lane.allCases { table.add("\(lane)", grouped(statistics.events(in: lane))) }
            Output.standard.write(text + table.text)
        }

        /// The snapshot that a command would begin with; nil if there is none.
        private static func snapshot(of store: Store) -> (events: UInt64, bytes: Int)? {
            guard let state = store.log.savedState(in: store.snapshots),
                let bytes = store.snapshots.sizeBytes
            else { return nil }
            return (state.events, bytes)
        }
    }
}
