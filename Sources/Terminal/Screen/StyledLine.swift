internal import Projections
internal import Text

/// How a piece of text looks; colour helps and never carries meaning alone.
enum Style: Hashable, Sendable {
    case plain
    case strong
    case quiet
    case heart
    case dimHeart
    case good
    case caution
    case zone(Zone)

    /// The parameters of Select Graphic Rendition (ECMA-48, 8.3.117); nil for none.
    fileprivate var code: String? {
        switch self {
        case .plain: nil
        case .strong: "1"
        case .quiet: "2"
        case .heart: "31"
        case .dimHeart: "2;31"
        case .good: "32"
        case .caution: "33"
        case .zone(.resting): "34"
        case .zone(.moderate): "32"
        case .zone(.vigorous): "33"
        // Brighter than the others on a dark screen, and bolder on any.
        case .zone(.maximum): "1;91"
        }
    }
}

/// A line of a screen, in pieces that look alike.
struct StyledLine: Hashable, Sendable {
    private var pieces: [Piece] = []
    /// How many columns it takes.
    private(set) var columns = 0

    private struct Piece: Hashable {
        var text: String
        var style: Style
    }

    init() {}

    init(_ text: String, _ style: Style = .plain) {
        add(text, style)
    }

    /// Adds text, which must hold no control characters, at a column if one is given.
    mutating func add(_ text: String, _ style: Style = .plain, at column: Int? = nil) {
        if let column { move(to: column) }
        guard !text.isEmpty else { return }
        columns += Text.columns(of: text)
        if pieces.last?.style == style {
            pieces[pieces.count - 1].text += text
        } else {
            pieces.append(Piece(text: text, style: style))
        }
    }

    /// Adds another line.
    mutating func add(_ line: StyledLine) {
        for piece in line.pieces { add(piece.text, piece.style) }
    }

    /// Adds spaces up to a column, or one if it is past it.
    mutating func move(to column: Int) {
        add(String(repeating: " ", count: max(column - columns, columns == 0 ? 0 : 1)))
    }

    /// What to write for it.
    ///
    /// - Parameters:
    ///   - look: What the terminal can.
    ///   - limit: The columns that there are; the rest is cut off.
    /// - Returns: The text with its colours.
    func text(in look: Look, limit: Int) -> String {
        var result = ""
        var room = limit
        for piece in pieces where room > 0 {
            let text = cut(look.hasUnicode ? piece.text : piece.text.inASCII, to: room)
            room -= Text.columns(of: text)
            guard look.isColored, let code = piece.style.code else {
                result += text
                continue
            }
            result += "\u{1B}[\(code)m\(text)\u{1B}[0m"
        }
        return result
    }
}

extension String {
    /// The text with its signs in ASCII, and a question mark for each column of what else is not.
    fileprivate var inASCII: String {
        unicodeScalars.reduce(into: "") { text, scalar in
            let other = scalar.isASCII ? String(scalar) : nil
            text +=
                scalar.signInASCII ?? other ?? String(repeating: "?", count: scalar.columns)
        }
    }
}
