internal import ArgumentParser
internal import Deciding
internal import EventStoreLMDB
internal import Events
internal import Interchange
internal import Stores
internal import Words

extension LogCommand {
    /// `pulselog log backup`.
    struct Backup: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "backup",
            abstract: "Copy the log into a folder of its own, even during a recording.",
            discussion: """
                The copy is a whole store: `--store` reads it, `log restore` puts it in place. \
                Every block is verified before the copy gets its name, so it is there whole or \
                not at all. Exit code 73 if the folder already exists, 65 if the log is damaged.
                """)

        @Argument(help: ArgumentHelp("The folder to make.", valueName: "dir"))
        var directory: String

        @Flag(help: "Leave out pages that are not in use, and say how much that saves.")
        var compact = false

        @OptionGroup var common: CommonOptions

        func run() async throws {
            let store = try common.open(.reading)
            let folder = try NewFolder(
                directory, apartFrom: store.directory, namedBy: "pulselog log backup DIR")
            let backup = try CopyRun.make(
                folder, from: store.directory, orElse: "No backup was made."
            ) { try store.log.backUp(to: directory, compacting: compact, progress: $0) }
            common.write(CopyText(backup, in: directory, isCompact: compact))
        }
    }

    /// `pulselog log restore`.
    struct Restore: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "restore",
            abstract: "Make a store from a backup: its events, and a new origin after them.",
            discussion: """
                The backup is only read. All of it is verified before the store gets its name, \
                and then it is a log of its own: what is recorded to it is never taken for a \
                continuation of the one that was backed up. Exit code 73 if there is a store \
                already, 65 if the backup is damaged.
                """)

        @Argument(help: ArgumentHelp("A folder that `log backup` made.", valueName: "backup"))
        var backup: String

        @OptionGroup var common: CommonOptions

        func run() async throws {
            let directory = try common.storeDirectory()
            let folder = try NewFolder(
                directory, apartFrom: backup, namedBy: "--store DIR", takesPlaceOfStore: true)
            let machine = try Machine.this()
            var later: UInt64 = 0
            let copy = try CopyRun.make(folder, from: backup, orElse: "Nothing was restored.") {
                try LMDBEventLog.restore(
                    from: backup, to: directory,
                    origin: { log in
                        later = Self.laterBlocks(of: log)
                        return try LogOrigin(.restored, after: log, on: machine)
                    }, progress: $0)
            }
            common.write(CopyText(restored: copy, in: directory, laterBlocks: later))
        }

        /// How many blocks were signed after the backup was made, as far as this machine knows.
        private static func laterBlocks(of backup: LMDBEventLog) -> UInt64 {
            guard let folder = CheckpointFolder.usual(for: backup) else { return 0 }
            do throws(CheckpointError) {
                _ = try backup.signedEvents(in: folder)
            } catch {
                // A key that is missing or damaged is not an obstacle: the new log gets its own.
                if case .rollback(let known, let leaves) = error.code { return known - leaves }
            }
            return 0
        }
    }

    /// `pulselog log recover`.
    struct Recover: AsyncParsableCommand {
        /// The name of the file with what is found beyond the first missing event.
        private static let beyondName = "beyond.jsonl"

        static let configuration = CommandConfiguration(
            commandName: "recover",
            abstract: "Make a store from what still verifies in a damaged one.",
            discussion: """
                The damaged store is only read. The new one holds every event up to the first \
                that is missing, each as it was recorded, and a new origin after them. What is \
                found beyond that is written to \(beyondName) in the new folder, as JSON Lines. \
                Exit code 73 if the folder already exists, 65 if no part of the log can be found.
                """)

        @Option(help: ArgumentHelp("The folder to make.", valueName: "dir"))
        var out: String

        @OptionGroup var common: CommonOptions

        func run() async throws {
            let broken = try common.storeDirectory()
            try require(
                !RecorderLock.isHeld(in: broken), .tryAgain,
                "\(broken) is being recorded to. Stop that recorder first.")
            let folder = try NewFolder(out, apartFrom: broken, namedBy: "--out DIR")
            let machine = try Machine.this()
            let recovery = try CopyRun.make(
                folder, from: broken, orElse: "Nothing was recovered, and nothing was changed."
            ) {
                try LMDBEventLog.recover(
                    from: broken, to: out,
                    beyond: BlockTranscript(name: Self.beyondName, lines: Self.lines),
                    origin: { try LogOrigin(.recovered, after: $0, on: machine) }, progress: $0)
            }
            let beyondPath = "\(out)/\(Self.beyondName)"
            common.write(CopyText(recovery, in: out, beyondPath: beyondPath))
        }

        /// The events of a block that verifies, as JSON Lines.
        private static func lines(_ block: Span<UInt8>) -> [UInt8] {
            var writer = JSONLinesWriter()
            do {
                try BlockReader.forEach(in: block) { event in
                    do throws(FieldError) {
                        try writer.append(event)
                        return true
                    } catch {
                        preconditionFailure("An event of a block can be written: \(error)")
                    }
                }
            } catch {
                preconditionFailure("A block that verifies can be read: \(error)")
            }
            return writer.bytes
        }
    }
}
