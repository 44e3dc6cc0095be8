/// What the walker says of a session: each field is said anew, or stays as it was.
public struct SessionDescribed: EventPayload {
    /// The most bytes of a name and of a place.
    public static let nameBytes = 128
    /// The most bytes of a note.
    public static let noteBytes = 512
    /// The most bytes of all tags.
    public static let tagsBytes = 256
    /// The position of the event that began the session.
    public var session: Position
    /// What the walk is called, may be empty; nil as before.
    public var sessionName: String?
    /// Where it was, may be empty; nil as before.
    public var place: String?
    /// A note of it, may be empty; nil as before.
    public var note: String?
    /// Its tags, with commas between them, may be empty; nil as before.
    public var tags: String?
    /// What was done; nil as before.
    public var sport: OpenCode<Sport>?
    /// Whether lists, sums and records have it; nil as before.
    public var listing: OpenCode<Listing>?

    /// Makes the payload; without an argument a blank one.
    public init(
        session: Position = 0, sessionName: String? = nil, place: String? = nil,
        note: String? = nil, tags: String? = nil, sport: Sport? = nil, listing: Listing? = nil
    ) {
        (self.session, self.sessionName, self.place) = (session, sessionName, place)
        (self.note, self.tags) = (note, tags)
        self.sport = sport.map { OpenCode($0) }
        self.listing = listing.map { OpenCode($0) }
    }

    /// Codes the fields in the order of <doc:RecordFormat>.
    ///
    /// - Throws: ``FieldError`` for a field outside of its limits.
    public mutating func code(_ coder: inout some FieldCoder) throws(FieldError) {
        try coder.unsigned("session", &session, in: FieldRange.unsigned)
        try coder.optionalText("sessionName", &sessionName, limit: Self.nameBytes)
        try coder.optionalText("place", &place, limit: Self.nameBytes)
        try coder.optionalText("note", &note, limit: Self.noteBytes)
        try coder.optionalText("tags", &tags, limit: Self.tagsBytes)
        try coder.optional("sport", &sport, initial: OpenCode(.walk)) {
            (coder, sport) throws(FieldError) in try coder.openCode("sport", &sport)
        }
        try coder.optional("listing", &listing, initial: OpenCode(.listed)) {
            (coder, listing) throws(FieldError) in try coder.openCode("listing", &listing)
        }
    }
}

/// What was done.
public enum Sport: UInt8, CodedName {
    /// A walk.
    case walk = 0
    /// A hike.
    case hike = 1
    /// A run.
    case run = 2
    /// A walk or a run on a treadmill.
    case treadmill = 3
    /// On wheels, by foot or by motor.
    case ride = 4
    /// In water.
    case swim = 5
    /// Anything else that is no walk.
    case other = 6

    /// The names in the JSON form, in the order of the cases.
    public static let names = ["walk", "hike", "run", "treadmill", "ride", "swim", "other"]

    /// Whether it is done on foot.
    public var isOnFoot: Bool { rawValue <= Self.treadmill.rawValue }
}

/// Whether a session is one of those that are listed and summed up.
public enum Listing: UInt8, CodedName {
    /// It is.
    case listed = 0
    /// It is left out; the log keeps it.
    case hidden = 1

    /// The names in the JSON form, in the order of the cases.
    public static let names = ["listed", "hidden"]
}

extension EventKind {
    /// The number of ``SessionDescribed``.
    @inlinable public static var sessionDescribed: EventKind { EventKind(rawValue: 0x89) }

    /// Whether its payload names a session by the position of its first event, which may have
    /// ended long ago.
    @inlinable public var namesSession: Bool {
        self == .deviceExcluded || self == .sessionDescribed
    }
}

extension Event {
    /// The position of the first event of the session that the event names; nil for other kinds.
    public var namedSession: Position? {
        get {
            switch self {
            case .deviceExcluded(let payload): payload.session
            case .sessionDescribed(let payload): payload.session
            default: nil
            }
        }
        set {
            guard let newValue else { return }
            switch self {
            case .deviceExcluded(var payload):
                payload.session = newValue
                self = .deviceExcluded(payload)
            case .sessionDescribed(var payload):
                payload.session = newValue
                self = .sessionDescribed(payload)
            default: break
            }
        }
    }
}
