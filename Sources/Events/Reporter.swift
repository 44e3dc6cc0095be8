/// Who reported a total: the kind, in words of this program, and the name that somebody gave it.
///
/// An event holds both as one text, `KIND/NAME`, so that no name passes for a kind. Before there
/// were kinds it held a name alone, and nothing says what that was the name of.
public struct Reporter: Hashable, Sendable {
    /// What reports totals, in the words that people read.
    public enum Kind: String, CaseIterable, Sendable {
        case appleHealth = "Apple Health"
        case gadgetbridge = "Gadgetbridge"
        case healthAutoExport = "Health Auto Export"
        case hcWebhook = "HC Webhook"
        case ownTracks = "OwnTracks"
        case fit, file, push
        case commandLine = "command line"
        case anotherLog = "another machine's log"
        case earlierProgram = "an earlier program"
        case unknown = "a source of unknown kind"
    }

    /// Of which kind it is.
    public let kind: Kind
    /// A stranger's text, nil if the kind says all.
    public let name: String?

    /// Makes a reporter; an empty name counts as no name.
    public init(_ kind: Kind, named name: String? = nil) {
        self.kind = kind
        self.name = name == "" ? nil : name
    }

    /// Reads what an event says; nil if that is nothing.
    ///
    /// Only logs of other machines have names.
    init?(origin: String) {
        guard !origin.isEmpty else { return nil }
        // By scalars: a name may begin with a combining mark, which joins the slash before it.
        let (scalars, log) = (origin.unicodeScalars, Self.log)
        if scalars.starts(with: log) {
            self.init(.anotherLog, named: String(scalars.dropFirst(log.count)))
        } else if scalars.last == "/", let kind = Kind(rawValue: String(scalars.dropLast())) {
            self.init(kind)
        } else {
            self.init(.unknown, named: origin)
        }
    }

    private static let log = Reporter(.anotherLog).origin.unicodeScalars

    /// What an event says of it, at most 128 bytes of UTF-8.
    public var origin: String { "\(kind.rawValue)/\(name ?? "")".fitting(128) }
}
