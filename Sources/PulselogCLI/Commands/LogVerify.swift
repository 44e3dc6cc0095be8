internal import ArgumentParser
internal import Clocks
internal import Deciding
internal import EventStore
internal import EventStoreLMDB
internal import Interchange
internal import JSON
internal import LookingBack
internal import Recording
internal import Text
internal import Words

extension LogCommand {
    /// `pulselog log verify`.
    struct Verify: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "verify",
            abstract: "Check that no event was altered, dropped, inserted or reordered.",
            discussion: """
                Every block: checksum, encoding, positions without gaps. Every sealed block: that \
                it is the one that was signed. Every checkpoint: its signature, and that it is no \
                older than the last one that is known outside of the store. Exit code 1 if \
                something is wrong; the first bad position is named. Also if all is well, and the \
                snapshot is not what the events give.
                """)
        @OptionGroup var common: CommonOptions

        func run() async throws {
            let directory = try common.storeDirectory()
            var run = CopyRun()
            let result: LogVerification
            let worth: SnapshotWorth
            var folder: CheckpointFolder?
            do {
                result = try LMDBEventLog.verify(
                    directory: directory,
                    comparingWith: { log in
                        folder = CommonOptions.checkpointFolder(of: log)
                        return folder
                    }, progress: { run.goesOn($0) })
                if !result.isStopped {
                    folder?.remember(
                        result, in: directory, atMilliseconds: Arrival.now().wallMilliseconds)
                }
                worth =
                    try result.damage == nil && !result.isStopped ? snapshotWorth(&run) : .none
            } catch let error as EventLogError {
                run.clear()
                throw CommandFailure(error, store: directory)
            } catch {
                run.clear()
                throw error
            }
            run.clear()
            if run.isStopped { throw run.interruption("The log was not verified to its end.") }
            common.write(VerificationText(result, worth))
            guard result.damage == nil, worth.holds ?? true else {
                throw ExitCode(CommandFailure.Code.finding.rawValue)
            }
        }

        /// Folds what the snapshot claims to hold.
        private func snapshotWorth(_ run: inout CopyRun) throws -> SnapshotWorth {
            let store = try Store.open(common, for: .reading)
            return try store.withLog { (log) throws(EventLogError) in
                try log.checkSnapshot(in: store.snapshots) { done, all in
                    run.goesOn("Folding again", doneEvents: done, of: all)
                }
            }
        }
    }
}

/// What a verification found, for people and for scripts.
struct VerificationText: Answer {
    private let found: LogVerification
    private let worth: SnapshotWorth
    private var evidence: EvidenceReport { found.evidence }

    init(_ found: LogVerification, _ worth: SnapshotWorth) {
        self.found = found
        self.worth = worth
    }

    var text: String {
        if case .differs(let next) = worth {
            return soundness + SnapshotText(differingBefore: next).text
        }
        return soundness
    }

    private var soundness: String {
        if let damage = found.damage {
            let good = min(found.next, damage.position ?? found.next)
            return found.areEventsGood
                ? wrapped(unvouched(damage), to: 80).joined(separator: "\n") + "\n"
                : "\(counted(good, "good event")), then: \(damage.description)\n"
        }
        let size = "\(counted(found.next, "event")) in \(counted(UInt64(found.blocks), "block"))"
        guard let key = evidence.vkey else {
            return "\(size): sound\nNothing is signed yet; that comes with the end of a session.\n"
        }
        var lines = "\(size): sound\n"
        let unsealed = found.next - evidence.signedEvents
        lines += "\(counted(evidence.checkpoints, "checkpoint")) signed, over "
        lines += unsealed == 0 ? "all of them\n" : "all but the last \(grouped(unsealed))\n"
        if !evidence.isComparedOutside { lines += Self.notComparedOutside + "\n" }
        return lines + "Key \(key)\n"
    }

    private static let notComparedOutside =
        "No checkpoint is known outside of the store: an older one in its place would not\n"
        + "be noticed."

    /// What nothing vouches for, for whoever asks for something else; nil if all is vouched for.
    var unseen: String? {
        guard evidence.vkey != nil else { return "Nothing is signed yet: nothing vouches for it." }
        if !evidence.isComparedOutside { return Self.notComparedOutside }
        let unsigned = found.next - evidence.signedEvents
        return unsigned == 0
            ? nil
            : "No signature vouches yet for the last \(counted(unsigned, "event"))."
    }

    /// Every event can be read, and is appended to; what vouches for them says something else, or
    /// is not there, or cannot be read.
    private func unvouched(_ damage: EventLogError) -> String {
        // A file outside that cannot be read says nothing of a position.
        let position = damage.position.map { "From position \($0) on: " }
        return "All \(counted(found.next, "event")) can be read, but what should vouch for them "
            + "does not. \(position ?? "")\(damage.detail)"
    }

    var jsonLine: [UInt8] {
        JSONWriter.line { line in
            line.field("events", found.next)
            line.field("blocks", found.blocks)
            line.field("bytes", found.bytes)
            line.field("sound", found.damage == nil)
            line.field("eventsGood", found.areEventsGood)
            line.field("damagePosition", found.damage?.position)
            line.field(
                "damage",
                found.damage.map { found.areEventsGood ? unvouched($0) : $0.description })
            line.field("sealedBlocks", evidence.sealedBlocks)
            line.field("signedEvents", evidence.signedEvents)
            line.field("checkpoints", evidence.checkpoints)
            line.field("comparedOutside", evidence.isComparedOutside)
            line.field("key", evidence.vkey)
            line.field("snapshotHolds", worth.holds)
        }
    }
}
