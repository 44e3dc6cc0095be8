package import Events
package import JSON
internal import Text

/// Something that a bad link does to a strap's story.
package struct LinkFault: JSONObject, Hashable, Sendable {
    /// What it does.
    package enum Kind: String, CaseIterable, Sendable {
        /// The link is lost for some seconds.
        case drops
        /// A value is delivered twice.
        case duplicates
        /// Two values change places.
        case reorder
        /// The recorder dies, and begins again after some seconds.
        case crash
    }

    /// What it does.
    package let kind: Kind
    /// The first value that it hits.
    package let position: Position
    /// When that came.
    package let stamp: Stamp
    /// How long it lasts, in milliseconds; 0 for a moment.
    package let milliseconds: UInt64

    /// Makes a fault.
    ///
    /// - Parameters:
    ///   - kind: What it does.
    ///   - position: The first value that it hits.
    ///   - stamp: When that came.
    ///   - milliseconds: How long it lasts; 0 for a moment.
    package init(_ kind: Kind, at position: Position, _ stamp: Stamp, milliseconds: UInt64 = 0) {
        (self.kind, self.position, self.stamp) = (kind, position, stamp)
        self.milliseconds = milliseconds
    }

    /// Writes the fields into an object that is open.
    package func writeFields(to json: inout JSONWriter) {
        json.field("fault", kind.rawValue)
        json.field("position", position)
        json.field("milliseconds", milliseconds)
    }

    /// What it does, in words.
    var words: String {
        let seconds = counted(milliseconds / 1_000, "second")
        return switch kind {
        case .drops: "the link is lost for \(seconds)"
        case .duplicates: "a value comes twice"
        case .reorder: "a value comes after the next one"
        case .crash: "the recorder dies, and is back after \(seconds)"
        }
    }
}
