internal import Projections
internal import Recording
internal import Text
internal import Words

/// Sentences on the screen, and all in one line where there is no room for more.
extension WalkScreen {
    /// The newest sentences, each with its time.
    ///
    /// - Parameter limit: How many.
    /// - Returns: Their lines.
    func messages(_ limit: Int) -> [StyledLine] {
        front.board.messages.prefix(limit).flatMap { message in
            wrapped(message.text, to: max(columns - 11, 10)).enumerated().map { index, text in
                var line = StyledLine("   ")
                line.add(index == 0 ? scene.time(message.wallMilliseconds).clock : "", .quiet)
                line.add(text, at: 10)
                return line
            }
        }
    }

    /// Where a browser shows the walk.
    var page: [StyledLine] { pageTexts.map { StyledLine("   " + $0, .quiet) } }

    /// The page's address: whole in one line, that it can be copied, or where that is.
    var pageTexts: [String] {
        guard let address = front.pageAddress else { return [] }
        let room = columns - 3
        if address.count <= room { return [address] }
        guard front.showsHelp else { return ["? shows the page's address"] }
        return stride(from: 0, to: address.count, by: room).map { start in
            String(address.dropFirst(start).prefix(room))
        }
    }

    /// A sentence in as many lines as it needs.
    func told(_ sentence: String, _ style: Style = .plain) -> [StyledLine] {
        wrapped(sentence, to: columns - 6).map { StyledLine("   " + $0, style) }
    }

    /// How long a line of a sentence stands in place of something else.
    private static let briefMilliseconds: UInt64 = 5_000

    /// The newest sentence while it is new, for a screen that has no other room for it.
    var brief: [StyledLine] {
        guard front.prompt == .none, let newest = front.board.messages.first,
            now < newest.bootMilliseconds + Self.briefMilliseconds
        else { return [] }
        return told(newest.text)
    }

    /// All in one line, for a terminal that has no room for more.
    var small: StyledLine {
        if front.showsHelp {
            return StyledLine("Help needs a window of at least 40 by 10 characters.")
        }
        if let piece = newestPiece { return StyledLine(piece) }
        let time = TimeText.duration(report?.activeMilliseconds ?? 0)
        guard let report, report.state != .paused else {
            let mark = report == nil ? look.ready : look.paused
            let heart = hasHeart ? " \(look.outlineHeart) \(alignedRight(look.dash, 3))" : ""
            return StyledLine("\(mark) \(time)" + heart)
        }
        guard scene.storageProblem == nil else {
            return StyledLine("\(look.running) \(time) waiting")
        }
        let bpm = scene.strap.currentBPM.map(String.init) ?? look.dash
        let heart =
            scene.bluetoothProblem != nil && scene.strap.word != .connected
            ? " " + scene.strap.word.text
            : hasHeart ? " \(look.heart) \(alignedRight(bpm, 3))" : ""
        let loud = scene.sensors(of: report).lead
        let figure = report.figure(loud, scene.state.units)
        let amount = loud == .active ? "" : " \(figure.value) \(figure.unit)"
        return StyledLine("\(look.running) \(time)" + heart + amount)
    }

    /// The newest sentence in one line: its parts, one after the other.
    private var newestPiece: String? {
        guard front.prompt == .none, let newest = front.board.messages.first else { return nil }
        let pieces = wrapped(newest.text, to: max(columns, 10))
        let age = now - min(now, newest.bootMilliseconds)
        let index = Int(clamping: age / Self.briefMilliseconds)
        return pieces.indices.contains(index) ? pieces[index] : nil
    }
}
