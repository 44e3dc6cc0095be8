package import Events
package import JSON
internal import Text

/// That a log's snapshot is not what its events give, for people and for scripts.
package struct SnapshotText: Answer, JSONObject {
    private let next: Position

    /// Tells of a snapshot that does not hold.
    ///
    /// - Parameter next: The first position that it does not claim to hold.
    package init(differingBefore next: Position) {
        self.next = next
    }

    /// A sentence.
    package var text: String {
        let sentence =
            "The snapshot of the first \(counted(next, "event")) is not what these events give. "
            + "The log itself is what counts; `pulselog log rebuild` remakes the snapshot."
        return wrapped(sentence, to: 80).joined(separator: "\n") + "\n"
    }

    /// Writes the fields into an object that is open.
    package func writeFields(to line: inout JSONWriter) {
        line.field("snapshotEvents", next)
        line.field("snapshotHolds", false)
    }
}
