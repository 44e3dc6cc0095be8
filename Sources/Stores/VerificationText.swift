package import Deciding
internal import EventStore
package import EventStoreLMDB
package import Events
internal import JSON
internal import Text
internal import Words

/// What a verification found, for people and for scripts.
package struct VerificationText: Answer {
    private let found: LogVerification
    private let worth: SnapshotWorth
    private let wrongOutline: Position?
    private let obstacle: String?
    private var evidence: EvidenceReport { found.evidence }

    /// Tells what was found.
    ///
    /// - Parameters:
    ///   - found: What the log was found to be.
    ///   - worth: What its snapshot is worth.
    ///   - wrongOutline: The first walk whose kept outline is not what its events give.
    ///   - obstacle: Why nothing more can be kept outside of the store.
    package init(
        _ found: LogVerification, _ worth: SnapshotWorth, wrongOutline: Position? = nil,
        obstacle: String? = nil
    ) {
        (self.wrongOutline, self.found, self.worth) = (wrongOutline, found, worth)
        self.obstacle = obstacle
    }

    package var text: String {
        var words = soundness
        if found.lostPages > 0 {
            let pages = counted(found.lostPages, "page")
            let lost = "\(pages) of the file can no longer be used, and no event is affected: "
            let remedy = "`pulselog log backup --compact` leaves them out."
            words += wrapped(lost + remedy, to: 80).joined(separator: "\n") + "\n"
        }
        if case .differs(let next) = worth { words += SnapshotText(differingBefore: next).text }
        if let wrongOutline {
            let wrong =
                "What is kept of the walk at position \(wrongOutline) for records and trends is "
                + "not what its events give. `pulselog log rebuild` removes what is kept."
            words += wrapped(wrong, to: 80).joined(separator: "\n") + "\n"
        }
        return words
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
            let when = obstacle.map { ", and will not be: \($0)" }
            let words = "Nothing is signed yet\(when ?? "; that comes with the end of a session.")"
            return "\(size): sound\n" + wrapped(words, to: 80).joined(separator: "\n") + "\n"
        }
        var lines = "\(size): sound\n"
        let unsealed = found.next - evidence.signedEvents
        lines += "\(counted(evidence.checkpoints, "checkpoint")) signed, over "
        lines += unsealed == 0 ? "all of them\n" : "all but the last \(grouped(unsealed))\n"
        if !evidence.isComparedOutside { lines += Self.notComparedOutside + "\n" }
        if let obstacle {
            let words = "Nothing more can be signed: \(obstacle)"
            lines += wrapped(words, to: 80).joined(separator: "\n") + "\n"
        }
        return lines + "Key \(key)\n"
    }

    private static let notComparedOutside =
        "No checkpoint is known outside the store: an older one in its place would not\n"
        + "be noticed."

    /// What nothing vouches for, for whoever asks for something else; nil if all is vouched for.
    package var unseen: String? {
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

    package var jsonLine: [UInt8] {
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
            line.field("outsideObstacle", obstacle)
            line.field("key", evidence.vkey)
            line.field("lostPages", found.lostPages)
            line.field("snapshotHolds", worth.holds)
            line.field("wrongOutlinePosition", wrongOutline)
        }
    }
}
