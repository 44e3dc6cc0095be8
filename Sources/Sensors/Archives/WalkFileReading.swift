internal import Events
package import Interchange
internal import TamperEvidence

/// What a file says of walks, and what it is.
package struct WalkFileReading {
    /// What it says.
    package let facts: WalkFacts
    /// The SHA-256 of its bytes, not compressed.
    package let sha256: [UInt8]
    /// What is wrong with the rest of the file, of which this is the part before.
    package let damage: String?

    /// Reads a file to its end, in one pass.
    ///
    /// - Parameters:
    ///   - stream: The file.
    ///   - format: What it is.
    ///   - hints: What is said of its times.
    ///   - end: As of `WalkFacts`.
    /// - Throws: ``FileError`` if it cannot be read, or the reading is to stop.
    package init(
        _ stream: ByteStream, _ format: WalkFileFormat, _ hints: CaptureHints, until end: Int64
    ) throws(FileError) {
        var reader = format.reader(hints.times, until: end, keptIn: KeptBytes().keep)
        var digest = FileDigest()
        var (failure, isFirst): (String?, Bool) = (nil, true)
        do throws(FileError) {
            while let piece = try stream.next() {
                digest.take(piece.span)
                // A mark of UTF-8 says nothing.
                let mark = isFirst && piece.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
                isFirst = false
                if reader.damage == nil { reader.push(piece.span.extracting(droppingFirst: mark)) }
            }
        } catch {
            // What stands before the damage of an archive counts, too.
            guard error.code == .badContent else { throw error }
            failure = error.description
        }
        reader.finish()
        var facts = reader.facts
        if facts.offsetMinutes == nil, let first = facts.firstAt {
            facts.offsetMinutes = hints.times.offsetMinutes?(first)
        }
        self.facts = facts
        sha256 = digest.bytes
        damage =
            failure ?? reader.damage
            ?? (facts.isOverfull ? "It holds more than 4 million values. Split it." : nil)
    }
}
