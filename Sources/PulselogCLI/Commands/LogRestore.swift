internal import ArgumentParser
internal import Clocks
internal import Deciding
internal import EventStore
internal import EventStoreLMDB
internal import Events
internal import Interchange
internal import JSON
internal import LookingBack
internal import Projections
internal import Recording
internal import Terminal
internal import Text
internal import Words

extension LogCommand {
    /// `pulselog log restore`.
    struct Restore: AsyncParsableCommand {
        private static let consequence = "Nothing was restored."

        static let configuration = CommandConfiguration(
            commandName: "restore",
            abstract: "Make a store out of a backup: its events, and a new origin after them.",
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
            folder.nameLeftovers()
            let machine = try Machine.this()
            var run = CopyRun()
            var later: UInt64 = 0
            let outcome: CopyOutcome<LogCopy>
            do throws(LogCreationError<CommandFailure>) {
                outcome = try LMDBEventLog.restore(
                    from: backup, to: directory,
                    origin: { log throws(CommandFailure) in
                        later = Self.laterBlocks(of: log)
                        return try Store.newOrigin(.restored, after: log, on: machine)
                    }, progress: { run.goesOn($0) })
            } catch {
                run.clear()
                let failure = error.commandFailure(of: backup)
                throw CommandFailure(failure.exitCode, "\(failure.message) \(Self.consequence)")
            }
            run.clear()
            switch outcome {
            case .made(let copy): tell(copy, in: directory, laterBlocks: later)
            case .nameTaken: throw folder.isTaken("--store DIR")
            case .stopped: throw run.interruption(Self.consequence)
            }
        }

        /// How many blocks were signed after the backup was made, as far as this machine knows.
        private static func laterBlocks(of backup: LMDBEventLog) -> UInt64 {
            guard let folder = CommonOptions.checkpointFolder(of: backup) else { return 0 }
            do throws(CheckpointError) {
                _ = try backup.signedEvents(in: folder)
            } catch {
                // A key that is missing or damaged is no obstacle: the new log gets its own.
                if case .rollback(let known, let leaves) = error.code { return known - leaves }
            }
            return 0
        }

        private func tell(_ copy: LogCopy, in directory: String, laterBlocks: UInt64) {
            if common.json {
                Output.standard.write(
                    JSONWriter.line {
                        copy.writeFields(to: &$0, directory: directory)
                        $0.field("laterBlocks", laterBlocks)
                    })
            } else {
                Output.standard.write(
                    "\(copy.words)\nVerified and restored into "
                        + "\(printable(directory, limit: 4_096)), with a new origin\n")
                guard laterBlocks > 0 else { return }
                Output.standard.write(
                    "Not in it, as the backup is older: \(counted(laterBlocks, "block")) of events "
                        + "that this machine signed\n")
            }
        }
    }
}

extension Store {
    /// What a log begins anew with, after the events that it was made of.
    ///
    /// - Throws: ``CommandFailure`` if the log cannot be folded.
    static func newOrigin(
        _ cause: OriginCause, after log: LMDBEventLog, on machine: Machine
    ) throws(CommandFailure) -> LogOrigin {
        let arrival = Arrival.now()
        var state = LogState()
        let checkpoint: String?
        do throws(EventLogError) {
            try log.fold(into: &state)
            checkpoint = try log.lastCheckpoint()
        } catch {
            throw CommandFailure(error, store: log.directory)
        }
        do throws(FieldError) {
            return LogOrigin(
                id: randomBytes(LogOrigin.idBytes),
                createdMilliseconds: arrival.wallMilliseconds,
                events: try NewOrigin.events(
                    cause, checkpoint: checkpoint, after: state, on: machine, at: arrival))
        } catch {
            throw CommandFailure(.internalError, error.description)
        }
    }
}

extension LogCreationError<CommandFailure> {
    /// The failure of a command that makes a store out of another one.
    func commandFailure(of store: String) -> CommandFailure {
        switch self {
        case .log(let cause) where cause.code == .notFound:
            CommandFailure(.noInput, "There is no log in \(store). Name the folder of one.")
        case .log(let cause) where cause.code == .unrecognized:
            CommandFailure(
                .badData, "\(cause.detail): this is no log that this version of Pulselog can read.")
        case .log(let cause): CommandFailure(cause, store: store)
        case .source(let failure): failure
        }
    }
}
