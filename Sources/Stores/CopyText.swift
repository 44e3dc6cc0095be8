package import EventStoreLMDB
internal import Events
internal import JSON
internal import Text
internal import Words

/// A store that was made out of another one, for people and for scripts.
package struct CopyText: Answer {
    package let text: String
    package let jsonLine: [UInt8]

    private init(
        _ copy: LogCopy, _ directory: String, _ rest: String,
        _ write: (inout JSONWriter) -> Void
    ) {
        text = "\(copy.words)\n\(rest)"
        jsonLine = JSONWriter.line { line in
            line.field("directory", directory)
            line.field("events", copy.next)
            line.field("head", copy.last?.position)
            line.field("headAt", copy.last.map { TimeText.utc($0.stamp.wallMilliseconds) })
            line.field("blocks", copy.blocks)
            line.field("blockBytes", copy.blockBytes)
            line.field("fileBytes", copy.fileBytes)
            write(&line)
        }
    }

    /// Tells of a backup.
    package init(_ backup: LogBackup, in directory: String, isCompact: Bool) {
        var rest = "Verified, in \(printable(directory, limit: 4_096))\n"
        if isCompact {
            rest += "Compacted from \(grouped(UInt64(backup.storeBytes))) bytes to "
            rest += "\(grouped(UInt64(backup.copy.fileBytes))); the store has "
            rest += "\(counted(UInt64(backup.freePages), "free page")) of "
            rest += "\(grouped(UInt64(backup.pageSizeBytes))) bytes\n"
        }
        self.init(backup.copy, directory, rest) { line in
            line.field("compact", isCompact)
            line.field("storeBytes", backup.storeBytes)
            line.field("storeFreePages", backup.freePages)
            line.field("pageSizeBytes", backup.pageSizeBytes)
        }
    }

    /// Tells of a backup that was restored.
    ///
    /// - Parameters:
    ///   - copy: The store.
    ///   - directory: Its folder.
    ///   - laterBlocks: How many blocks were signed after the backup was made.
    package init(restored copy: LogCopy, in directory: String, laterBlocks: UInt64) {
        var rest = "Verified and restored into \(printable(directory, limit: 4_096)), "
        rest += "with a new origin\n"
        if laterBlocks > 0 {
            rest += "Not in it, as the backup is older: \(counted(laterBlocks, "block")) of events "
            rest += "that this machine signed\n"
        }
        self.init(copy, directory, rest) { $0.field("laterBlocks", laterBlocks) }
    }

    /// Tells what was recovered of a damaged log.
    ///
    /// - Parameters:
    ///   - recovery: What was.
    ///   - directory: The folder of the new store.
    ///   - beyondPath: The file of what was found beyond the first missing event.
    package init(_ recovery: LogRecovery, in directory: String, beyondPath: String) {
        let kept = recovery.keptEvents
        var rest = "Kept \(counted(kept, "event")) in "
        rest += "\(counted(UInt64(recovery.keptBlocks), "block")), as they were recorded; "
        rest += "the new origin begins at position \(kept)\n"
        rest += recovery.endWords(beyondPath)
        if recovery.unreadableBytes > 0 {
            rest += "Unreadable on the disk: \(grouped(UInt64(recovery.unreadableBytes))) bytes "
            rest += "of the file\n"
        }
        self.init(recovery.copy, directory, rest) { line in
            line.field("keptEvents", kept)
            line.field("keptBlocks", recovery.keptBlocks)
            line.field("firstMissing", recovery.end == .cut ? kept : nil)
            line.field("end", recovery.end.rawValue)
            line.list("beyond", recovery.beyond) { line, range in
                line.field("from", range.lowerBound)
                line.field("until", range.upperBound)
            }
            line.field("eventsBeyond", recovery.eventsBeyond)
            line.field("beyondFile", recovery.beyond.isEmpty ? nil : beyondPath)
            line.field("unreadableBytes", recovery.unreadableBytes)
        }
    }
}

extension LogCopy {
    /// How many events there are, what they take, and when the last one was.
    fileprivate var words: String {
        var words = "\(counted(next, "event")), \(grouped(UInt64(fileBytes))) bytes"
        if let last {
            let time = TimeText.local(
                last.stamp.wallMilliseconds, offsetMinutes: zoneOffsetMinutes)
            words += ", the last event at \(time) \(TimeText.offset(zoneOffsetMinutes))"
        }
        return words
    }
}

extension LogRecovery {
    fileprivate func endWords(_ beyondPath: String) -> String {
        let missing = "From position \(keptEvents) on events are missing"
        switch end {
        case .whole: return "Nothing is missing\n"
        case .doubtful:
            return "Nothing shows that later ones are missing, but what would have led to "
                + "them is damaged\n"
        case .cut where beyond.isEmpty: return missing + "; none was found beyond\n"
        case .cut:
            return missing + "; beyond it \(counted(eventsBeyond, "event")) "
                + (eventsBeyond == 1 ? "was found: " : "were found: ")
                + "positions \(positionsBeyond), in \(printable(beyondPath, limit: 4_096))\n"
        }
    }

    /// `500 to 519, 600 to 12,000 and 4 more ranges`.
    private var positionsBeyond: String {
        let shown = beyond.prefix(5).map { "\($0.lowerBound) to \($0.upperBound - 1)" }
        let rest = beyond.count - shown.count
        return shown.joined(separator: ", ")
            + (rest > 0 ? " and \(counted(UInt64(rest), "more range"))" : "")
    }
}
