internal import Events

/// What most events of a kind have in common, and how it stands on their lines.
///
/// The same members stand for the same nature: whoever has read or written them need not do so
/// again.
struct EventNature: Sendable {
    /// The members, from the comma before the first on.
    let members: [UInt8]

    private let bootNumber: UInt32
    private let flags: EventFlags
    private let kind: EventKind
    private let version: UInt16

    /// Takes the nature of an event, and the members that stand for it.
    init(of header: EventHeader, members: [UInt8]) {
        self.members = members
        bootNumber = header.stamp.bootNumber
        flags = header.flags
        kind = header.kind
        version = header.version
    }

    /// Whether an event has this nature.
    func isOf(_ header: EventHeader) -> Bool {
        bootNumber == header.stamp.bootNumber && flags == header.flags && kind == header.kind
            && version == header.version
    }

    /// Makes it the nature of an event.
    func give(to header: inout EventHeader) {
        header.stamp.bootNumber = bootNumber
        header.flags = flags
        header.kind = kind
        header.version = version
    }
}
