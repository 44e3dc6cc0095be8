internal import Deciding
internal import EventStoreLMDB
internal import Events
internal import JSON
internal import Projections
internal import Text
internal import Words

/// The figures of a log, for people and for scripts.
package struct LogFigures: Answer {
    private let directory: String
    private let id: String
    private let usage: LogUsage
    private let statistics: LogStatistics
    private let snapshot: (events: UInt64, bytes: Int)?

    /// Counts what is in the log of a store.
    ///
    /// - Throws: `EventLogError` if its pages are not sound.
    package init(_ store: Store) throws {
        let log = store.log
        // That with which a command would begin.
        snapshot = log.savedState(in: store.snapshots).flatMap { state in
            store.snapshots.sizeBytes.map { (state.events, $0) }
        }
        directory = log.directory
        id = hexadecimal(log.id)
        usage = try log.usage()
        statistics = try log.statistics()
    }

    /// Bytes of the file for each event; nil for an empty log.
    private var bytesPerEvent: Hundredths? {
        Hundredths(UInt64(statistics.fileBytes), over: statistics.events)
    }

    /// How full the blocks are, in percent; nil for an empty log.
    private var averageFillPercent: Hundredths? {
        Hundredths(UInt64(usage.blockBytes) * 100, over: UInt64(usage.blockRoomBytes))
    }

    /// Whether a block is.
    package var areDamaged: Bool { usage.damagedBlocks > 0 }

    /// How many events have a payload that is not of their kind's layout.
    private var undecodableEvents: UInt64 {
        usage.kinds.reduce(0) { $0 + $1.undecodableEvents }
    }

    private var freeBytes: Int { usage.freePages * usage.pageSizeBytes }

    // MARK: - For scripts

    package var jsonLine: [UInt8] {
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
            line.object("laneBytes") { lanes in
                for lane in Lane.allCases { lanes.field("\(lane)", usage.bytes(in: lane)) }
            }
            line.list("kinds", usage.kinds) { kind, usage in
                kind.field("kind", name(usage.kind))
                kind.field("events", usage.events)
                kind.field("entryBytes", usage.entryBytes)
                kind.field("undecodableEvents", usage.undecodableEvents)
            }
            line.field("undecodableEvents", undecodableEvents)
            line.list("undecodable", usage.undecodable) { line, event in
                line.field("position", event.position)
                line.field("kind", name(event.kind))
            }
            line.field("sectionHeadBytes", usage.sectionHeadBytes)
            line.field("orderBytes", usage.orderBytes)
            line.field("headerBytes", usage.headerBytes)
            line.field("blockBytes", usage.blockBytes)
            line.field("averageFillPercent", averageFillPercent?.description)
            line.field("bytesPerEvent", bytesPerEvent?.description)
            line.field("head", usage.last?.position)
            line.field("headAt", usage.last.map { TimeText.utc($0.stamp.wallMilliseconds) })
            line.field("id", id)
            line.field("fileSizeBytes", usage.fileSizeBytes)
            line.field("usedBytes", statistics.fileBytes - freeBytes)
            line.field("pageSizeBytes", usage.pageSizeBytes)
            line.field("pages", usage.pages)
            line.field("freePages", usage.freePages)
            line.field("commits", usage.commits)
            line.field("readerSlots", usage.readerSlots)
            line.field("readerSlotsInUse", usage.openViews)
            line.field("oldestViewCommits", usage.oldestViewCommits)
            line.field("pagesSound", true)
            line.field("damagedBlocks", usage.damagedBlocks)
        }
    }

    // MARK: - For people

    package var text: String {
        var text = printable(directory, limit: 200) + "\n"
        text += "\(counted(statistics.events, "event")) in "
        text += "\(counted(UInt64(statistics.blocks), "block")), "
        text += "\(grouped(UInt64(statistics.fileBytes))) bytes on disk\n"
        return text + lines + lanes.text + "\n" + kinds.text + undecodable
    }

    /// What cannot be decoded, if there is any.
    private var undecodable: String {
        guard undecodableEvents > 0 else { return "" }
        let shown = usage.undecodable.prefix(8)
        var places = shown.map { "\($0.position) (\(name($0.kind)))" }.joined(separator: ", ")
        if undecodableEvents > UInt64(shown.count) { places += ", …" }
        let sentence =
            "\(counted(undecodableEvents, "event")) cannot be decoded; no total counts them: at "
            + "position \(places). They are kept as they came."
        return "\n" + wrapped(sentence, to: 80).joined(separator: "\n") + "\n"
    }

    private var lines: String {
        var lines = ""
        func add(_ title: String, _ words: String) {
            lines += padded(title, to: 12) + words + "\n"
        }
        if let last = usage.last {
            add("Last event", "\(last.position), \(local(last.stamp.wallMilliseconds))")
        }
        add("Log", id)
        if let bytesPerEvent, let averageFillPercent {
            add(
                "Blocks",
                "\(grouped(UInt64(usage.blockBytes))) bytes, \(averageFillPercent) % full; "
                    + "the file has \(bytesPerEvent) for each event")
        }
        add(
            "File",
            "\(counted(UInt64(usage.pages), "page")) of "
                + "\(grouped(UInt64(usage.pageSizeBytes))) bytes, "
                + "\(grouped(UInt64(usage.freePages))) free")
        add("Room", "\(grouped(UInt64(statistics.mapSizeBytes))) bytes, more when they are full")
        if let snapshot {
            let size = grouped(UInt64(snapshot.bytes))
            add("Snapshot", "of the first \(counted(snapshot.events, "event")), \(size) bytes")
        }
        add("Commits", grouped(UInt64(usage.commits)))
        var readers = "\(usage.openViews) of \(counted(UInt64(usage.readerSlots), "slot")) in use"
        if let behind = usage.oldestViewCommits, behind > 0 {
            readers += "; the oldest is \(counted(UInt64(behind), "commit")) behind"
        }
        add("Readers", readers)
        let blocks =
            usage.damagedBlocks == 0
            ? "all block checksums hold"
            : "\(counted(UInt64(usage.damagedBlocks), "block")) damaged: see `pulselog log verify`"
        add("Health", "pages sound; \(blocks)")
        return lines
    }

    private func local(_ wallMilliseconds: Int64) -> String {
        TimeText.local(wallMilliseconds, offsetMinutes: usage.zoneOffsetMinutes)
            + " \(TimeText.offset(usage.zoneOffsetMinutes))"
    }

    private static func table(_ name: String) -> TextTable {
        TextTable(
            .words(name), .numbers("events"), .numbers("bytes"), .numbers("bytes per event"))
    }

    private var lanes: TextTable {
        var table = Self.table("lane")
        for lane in Lane.allCases {
            let (events, bytes) = (statistics.events(in: lane), UInt64(usage.bytes(in: lane)))
            table.add(
                "\(lane)", grouped(events), grouped(bytes),
                events == 0 ? "" : Hundredths(bytes, over: events)?.description ?? "")
        }
        table.add("order", "", grouped(UInt64(usage.orderBytes)), "")
        table.add("headers", "", grouped(UInt64(usage.headerBytes)), "")
        return table
    }

    /// As in JSON Lines: a kind of a newer version has its number.
    private func name(_ kind: EventKind) -> String {
        kind.name ?? "0x\(hexadecimal([kind.rawValue]))"
    }

    /// The same bytes as those of the lanes, by kind.
    private var kinds: TextTable {
        var table = Self.table("kind")
        for usage in usage.kinds {
            let bytes = UInt64(usage.entryBytes)
            table.add(
                name(usage.kind), grouped(usage.events), grouped(bytes),
                Hundredths(bytes, over: usage.events)?.description ?? "")
        }
        table.add("heads of sections", "", grouped(UInt64(usage.sectionHeadBytes)), "")
        return table
    }
}
