internal import ArgumentParser
internal import EventStore
internal import EventStoreLMDB
internal import Events
internal import Interchange
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
            if common.json {
                Output.standard.write(
                    JSONWriter.line { line in
                        line.field("events", statistics.events)
                        line.field("blocks", statistics.blocks)
                        line.field("fileBytes", statistics.fileBytes)
                        line.field("mapSizeBytes", statistics.mapSizeBytes)
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
            var table = TextTable(.words("lane"), .numbers("events"))
            for lane in Lane.allCases { table.add("\(lane)", grouped(statistics.events(in: lane))) }
            Output.standard.write(text + table.text)
        }
    }

    /// `pulselog log verify`.
    struct Verify: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "verify",
            abstract: "Check every block: checksum, encoding, positions without gaps.",
            discussion: "Exit code 1 if the log is damaged; the first bad position is named.")
        @OptionGroup var common: CommonOptions

        func run() async throws {
            let directory = try common.storeDirectory()
            let result: LogVerification
            do {
                result = try LMDBEventLog.verify(directory: directory)
            } catch {
                throw CommandFailure(error, store: directory)
            }
            if common.json {
                Output.standard.write(
                    JSONWriter.line { line in
                        line.field("events", result.next)
                        line.field("blocks", result.blocks)
                        line.field("bytes", result.bytes)
                        line.field("sound", result.damage == nil)
                        line.field("damagePosition", result.damage?.position)
                        line.field("damage", result.damage?.description)
                    })
            } else if let damage = result.damage {
                Output.standard.write(
                    "\(counted(result.next, "good event")), then: \(damage.description)\n")
            } else {
                Output.standard.write(
                    "\(counted(result.next, "event")) in "
                        + "\(counted(UInt64(result.blocks), "block")): sound\n")
            }
            if result.damage != nil { throw ExitCode(CommandFailure.Code.finding.rawValue) }
        }
    }
}
