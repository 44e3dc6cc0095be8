internal import ArgumentParser
internal import EventStore
internal import EventStoreLMDB
internal import Events
internal import Interchange
internal import JSON
internal import LookingBack
internal import Terminal
internal import Text
internal import Words

extension LogCommand {
    /// `pulselog log backup`.
    struct Backup: AsyncParsableCommand {
        private static let consequence = "No backup was made."

        static let configuration = CommandConfiguration(
            commandName: "backup",
            abstract: "Copy the log into a folder of its own, also while it is recorded to.",
            discussion: """
                The copy is a whole store: `--store` reads it, `log restore` puts it in place. \
                Every block of it is verified before it gets its name, so it is there whole or \
                not at all. Exit code 73 if the folder already exists, 65 if the log is damaged.
                """)

        @Argument(help: ArgumentHelp("The folder to make.", valueName: "dir"))
        var directory: String

        @Flag(help: "Leave out pages that are not in use, and say how much that saves.")
        var compact = false

        @OptionGroup var common: CommonOptions

        func run() async throws {
            let store = try Store.open(common, for: .reading)
            let folder = try NewFolder(
                directory, apartFrom: store.directory, namedBy: "pulselog log backup DIR")
            folder.nameLeftovers()
            var run = CopyRun()
            let outcome: CopyOutcome<LogBackup>
            do throws(EventLogError) {
                outcome = try store.log.backUp(to: directory, compacting: compact) {
                    run.goesOn($0)
                }
            } catch {
                run.clear()
                let failure = CommandFailure(error, store: store.directory)
                throw CommandFailure(failure.exitCode, "\(failure.message) \(Self.consequence)")
            }
            run.clear()
            switch outcome {
            case .made(let backup): tell(backup)
            case .nameTaken: throw folder.isTaken("pulselog log backup DIR")
            case .stopped: throw run.interruption(Self.consequence)
            }
        }

        private func tell(_ backup: LogBackup) {
            let copy = backup.copy
            if common.json {
                Output.standard.write(
                    JSONWriter.line { line in
                        copy.writeFields(to: &line, directory: directory)
                        line.field("compact", compact)
                        line.field("storeBytes", backup.storeBytes)
                        line.field("storeFreePages", backup.freePages)
                        line.field("pageSizeBytes", backup.pageSizeBytes)
                    })
                return
            }
            var text = "\(copy.words)\nVerified, in \(printable(directory, limit: 4_096))\n"
            let free =
                "\(counted(UInt64(backup.freePages), "free page")) of "
                + "\(grouped(UInt64(backup.pageSizeBytes))) bytes"
            if compact {
                text += "Compacted from \(grouped(UInt64(backup.storeBytes))) bytes to "
                text += "\(grouped(UInt64(copy.fileBytes))); the store has \(free)\n"
            }
            Output.standard.write(text)
        }
    }
}
