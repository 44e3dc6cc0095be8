internal import Events
internal import Interchange
internal import JSON
internal import LookingBack
internal import Projections
internal import Stores
internal import Terminal
internal import Text
internal import Words

/// Walks as files for other programs.
extension Export {
    func exportWalks(as format: WalkFormat) throws {
        let store = try common.open(.reading)
        let state = try store.state()
        let walks = try session.map { [try state.session(called: $0)] } ?? span(of: store, state)
        // Of a part of the log there may be several at another time.
        let isFolder = session == nil || file.map(OutputFolder.isFolder) ?? false
        try require(
            file != nil || walks.count == 1, .usage,
            "\(counted(UInt64(walks.count), "walk")) need a folder: --out FOLDER.")
        if file == nil, format == .fit, Output.standard.isTerminal {
            throw CommandFailure(.usage, "FIT is not text: name a file with --out.")
        }
        let excerpt =
            try session == nil || !anonymous
            ? nil : store.withLog { try SessionExcerpt.least(of: walks[0], in: $0) }
        var files = WalkFiles(
            format: format, rows: rows?.value ?? .seconds, count: walks.count,
            folder: try isFolder
                ? file.map { try OutputFolder($0, besides: store.directory) } : nil,
            file: file, store: store.directory, replaces: force)
        let stop = StopRequest()
        do {
            try store.withLog { log in
                try log.exportWalks(
                    walks, excerpt: excerpt, anonymity: anonymity, from: store.snapshots,
                    check: stop.check
                ) { walk, position in
                    if let written = try files.write(walk, orUntil: stop) {
                        tell(written, walk, position)
                    }
                }
            }
            try files.end()
        } catch {
            let failure = CommandFailure(error).saying(files.stop())
            stop.endIfRequested(saying: failure.message)
            throw failure
        }
        tell(files, walks)
        if session == nil, let file, !common.json {
            Output.standard.write(
                "Wrote \(counted(files.written, "walk")) to \(printable(file, limit: 4_096)).\n")
        }
    }

    /// The walks that began on a day or in a span.
    private func span(of store: Store, _ state: LogState) throws -> [SessionReport] {
        let span = LogSpan(from: from, until: until, on: try day.map(CivilDate.init(written:)))
        let walks = try span.walks(among: state.sessionReports(at: state.lastMoment))
        let real = walks.filter(\.isSummed)
        let hidden = walks.count { $0.keeping.isHidden }
        let simulated = walks.count - real.count - hidden
        let left = [
            simulated > 0 ? counted(UInt64(simulated), "simulated walk") : nil,
            hidden > 0 ? counted(UInt64(hidden), "hidden walk") : nil,
        ].compactMap(\.self)
        if !left.isEmpty {
            Output.standardError.say(
                "Left out: \(left.joined(separator: ", ")). Name a position to export one.")
        }
        try require(
            !real.isEmpty, .noInput,
            "No walk began there; `pulselog sessions` lists those there are.")
        return real
    }

    /// Says which file a walk is in.
    private func tell(_ path: String, _ walk: WalkFile, _ position: Position) {
        if common.json {
            common.write("") {
                $0.field("file", path)
                $0.field("format", format.walk?.rawValue)
                $0.field("position", position)
            }
        } else if session != nil {
            let start = LocalTime(
                walk.report.startedAtMilliseconds, offsetMinutes: walk.series.offsetMinutes)
            Output.standard.write(
                "\(printable(path, limit: 4_096)) holds the walk of \(start.date), "
                    + "\(start.clock).\n")
        }
    }

    /// Says on standard error what is not in the files.
    private func tell(_ files: WalkFiles, _ walks: [SessionReport]) {
        let output = Output.standardError
        let open = UInt64(walks.count { $0.state != .ended })
        if open > 0 {
            output.say("Still open: \(counted(open, "walk")), exported as far as recorded.")
        }
        if anonymous, !withTrack, walks.contains(where: { !$0.route.isEmpty }) {
            output.say("Left out: the positions; --with-track keeps their shape.")
        }
        for sentence in files.sentences { output.say(sentence) }
    }
}

/// The files that walks are written into.
private struct WalkFiles {
    let format: WalkFormat
    let rows: WalkFile.Rows
    let count: Int
    let folder: OutputFolder?
    let file: String?
    let store: String
    let replaces: Bool
    /// How many walks were written.
    var written: UInt64 = 0
    /// How many walks have come.
    var seen = 0
    var refused: [(what: String, count: UInt64)] = []
    var losses: [(what: String, count: UInt64)] = []
    var hasSilentGaps = false
    /// Whether a part of a walk may be on standard output.
    var hasBegunOutput = false
    /// How often each name was used.
    var names: [String: Int] = [:]
    var line = ProgressLine()

    /// Clears the screen of progress after an error.
    ///
    /// - Returns: How far it came.
    mutating func stop() -> String {
        line.clear()
        if hasBegunOutput { return "The walk was not written to its end." }
        return count == 1
            ? "Nothing was written."
            : "\(grouped(written)) of \(counted(UInt64(count), "walk")) were written."
    }

    /// Writes a walk, whole or not at all.
    ///
    /// - Returns: The path; nil if it went to standard output, or cannot be in this format and is
    ///   one of several.
    mutating func write(_ walk: WalkFile, orUntil stop: StopRequest) throws -> String? {
        if count > 1 { line.show("Exporting walks", percent: seen * 100 / count) }
        seen += 1
        if let lack = walk.lack(format) {
            Self.add(1, lack, to: &refused)
            return nil
        }
        let path = file.map { file in folder.map { $0.file(name(of: walk)) } ?? file }
        let lost =
            if let path {
                try walk.write(
                    format, rows: rows, to: path, besides: store, replaces: replaces, orUntil: stop)
            } else {
                try walk.write(format, rows: rows) { bytes in
                    try stop.check()
                    hasBegunOutput = true
                    Output.standard.write(bytes)
                }
            }
        for (what, count) in lost { Self.add(count, what, to: &losses) }
        hasSilentGaps = path == nil && format == .rr && walk.hasGaps
        written += 1
        return path
    }

    private mutating func name(of walk: WalkFile) -> String {
        let name = walk.fileName
        let number = names[name, default: 0] + 1
        names[name] = number
        return (number == 1 ? name : "\(name)-\(number)") + ".\(format.fileExtension)"
    }

    private static func add(
        _ count: UInt64, _ what: String, to list: inout [(what: String, count: UInt64)]
    ) {
        if let index = list.firstIndex(where: { $0.what == what }) {
            list[index].count += count
        } else {
            list.append((what, count))
        }
    }

    /// All walks have come.
    ///
    /// - Throws: ``CommandFailure`` if none could be in this format.
    mutating func end() throws {
        line.clear()
        guard written == 0, let refused = refused.first else { return }
        let walks = count == 1 ? "This walk has" : "These walks have"
        throw CommandFailure(
            .badData, "\(walks) no \(refused.what). FIT holds what was recorded.")
    }

    /// What is not in the files, and why.
    var sentences: [String] {
        var sentences = refused.map {
            "Left out: \(counted($0.count, "walk")) without \($0.what)."
        }
        if !losses.isEmpty {
            let list = losses.map { counted($0.count, $0.what) }.joined(separator: ", ")
            let other = format == .csv ? "--rows samples writes them" : "FIT holds them"
            sentences.append("Not in \(format.rawValue.uppercased()): \(list); \(other).")
        }
        if hasSilentGaps {
            sentences.append(
                "The gaps between the intervals are written with --out FILE or --format gaps.")
        }
        return sentences
    }
}
