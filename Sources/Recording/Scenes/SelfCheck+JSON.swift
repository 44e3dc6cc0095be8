package import EventStore
package import JSON
internal import Text

extension JSONWriter {
    /// Writes how far a log was compared with its seals; null if nobody knows.
    package mutating func field(_ name: String, _ check: SelfCheck?) {
        guard let check else { return field(name, nil as UInt64?) }
        object(name) { json in
            json.field("at", TimeText.utc(check.atMilliseconds))
            json.field("verifiedBlocks", check.verifiedBlocks)
            json.field("sealedBlocks", check.sealedBlocks)
            json.field("damagePosition", check.damagePosition)
        }
    }
}
