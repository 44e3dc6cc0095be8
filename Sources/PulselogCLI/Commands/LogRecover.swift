internal import ArgumentParser
internal import Deciding
internal import EventStore
internal import EventStoreLMDB
internal import Events
internal import Interchange
internal import JSON
internal import Recording
internal import Terminal
internal import Text
internal import Words

extension LogCommand {
    /// `pulselog log recover`.
    struct Recover: AsyncParsableCommand {
        private static let consequence = "Nothing was recovered, and nothing was changed."
        /// The name of the file with what is found beyond the first missing event.
        private static let beyondName = "beyond.jsonl"

        static let configuration = CommandConfiguration(
            commandName: "recover",
            abstract: "Make a new store of what still verifies in a damaged one.",
            discussion: """
                The damaged store is only read. The new one holds every event up to the first \
                that is missing, each as it was recorded, and a new origin after them. What is \
                found beyond that is written to \(beyondName) in the new folder, as JSON Lines. \
                Exit code 73 if the folder already exists, 65 if not even the beginning of the \
                log is to be found.
                """)

        @Option(help: ArgumentHelp("The folder to make.", valueName: "dir"))
        var out: String

        @OptionGroup var common: CommonOptions

        func run() async throws {
            let broken = try common.storeDirectory()
            guard !Store.isRecorderAlive(in: broken) else {
                throw CommandFailure(
                    .tryAgain, "\(broken) is being recorded to. Stop that recorder first.")
            }
            let folder = try NewFolder(out, apartFrom: broken, namedBy: "--out DIR")
            folder.nameLeftovers()
            let machine = try Machine.this()
            var run = CopyRun()
            let outcome: CopyOutcome<LogRecovery>
            do throws(LogCreationError<CommandFailure>) {
                outcome = try LMDBEventLog.recover(
                    from: broken, to: out,
                    beyond: BlockTranscript(name: Self.beyondName, lines: Self.lines),
                    origin: { log throws(CommandFailure) in
                        try Store.newOrigin(.recovered, after: log, on: machine)
                    }, progress: { run.goesOn($0) })
            } catch {
                run.clear()
                let failure = error.commandFailure(of: broken)
                throw CommandFailure(failure.exitCode, "\(failure.message) \(Self.consequence)")
            }
            run.clear()
            switch outcome {
            case .made(let recovery): tell(recovery)
            case .nameTaken: throw folder.isTaken("--out DIR")
            case .stopped: throw run.interruption(Self.consequence)
            }
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

        // MARK: - What came of it

        private func tell(_ recovery: LogRecovery) {
            if common.json {
                Output.standard.write(JSONWriter.line { write(recovery, to: &$0) })
                return
            }
            let kept = recovery.keptEvents
            var text = "\(recovery.copy.words)\n"
            text += "Kept \(counted(kept, "event")) in "
            text += "\(counted(UInt64(recovery.keptBlocks), "block")), as they were recorded; "
            text += "the new origin begins at position \(kept)\n"
            text += endWords(recovery)
            if recovery.unreadableBytes > 0 {
                text += "The disk did not give \(grouped(UInt64(recovery.unreadableBytes))) bytes "
                text += "of the file\n"
            }
            Output.standard.write(text)
        }

        private func endWords(_ recovery: LogRecovery) -> String {
            let missing = "From position \(recovery.keptEvents) on events are missing"
            switch recovery.end {
            case .whole: return "Nothing is missing\n"
            case .doubtful:
                return "Nothing shows that later ones are missing, but what would have led to "
                    + "them is damaged\n"
            case .cut where recovery.beyond.isEmpty: return missing + "; none was found beyond\n"
            case .cut:
                return missing + "; beyond it \(counted(recovery.eventsBeyond, "event")) "
                    + (recovery.eventsBeyond == 1 ? "was found: " : "were found: ")
                    + "positions \(positions(recovery.beyond)), in "
                    + "\(printable(beyondPath, limit: 4_096))\n"
            }
        }

        private func write(_ recovery: LogRecovery, to line: inout JSONWriter) {
            recovery.copy.writeFields(to: &line, directory: out)
            line.field("keptEvents", recovery.keptEvents)
            line.field("keptBlocks", recovery.keptBlocks)
            line.field("firstMissing", recovery.end == .cut ? recovery.keptEvents : nil)
            line.field("end", recovery.end.rawValue)
            line.array("beyond") { list in
                for range in recovery.beyond {
                    list.object {
                        $0.field("from", range.lowerBound)
                        $0.field("until", range.upperBound)
                    }
                }
            }
            line.field("eventsBeyond", recovery.eventsBeyond)
            line.field("beyondFile", recovery.beyond.isEmpty ? nil : beyondPath)
            line.field("unreadableBytes", recovery.unreadableBytes)
        }

        private var beyondPath: String { "\(out)/\(Self.beyondName)" }

        /// `500 to 519, 600 to 12,000 and 4 more ranges`.
        private func positions(_ ranges: [Range<Position>]) -> String {
            let shown = ranges.prefix(5).map { "\($0.lowerBound) to \($0.upperBound - 1)" }
            let rest = ranges.count - shown.count
            return shown.joined(separator: ", ")
                + (rest > 0 ? " and \(counted(UInt64(rest), "more range"))" : "")
        }
    }
}
