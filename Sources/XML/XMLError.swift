/// Why a document could not be read further.
public struct XMLError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What is wrong with the document.
    public enum Code: String, Sendable {
        /// It is not well-formed (XML 1.0, 2.1), or in an encoding that is not read.
        case malformed
        /// It ends before its outermost element does.
        case incomplete
        /// It declares an entity; none is ever expanded or fetched.
        case entityDeclared
        /// More elements within each other than ``XMLStream/Limits/depth``.
        case tooDeep
        /// A tag or comment, or all before the first tag, of more bytes than
        /// ``XMLStream/Limits/tokenBytes``.
        case tokenTooLong
        /// More different names than ``XMLStream/Limits/names``.
        case tooManyNames
        /// There is no memory left to read it.
        case outOfMemory
    }

    /// What is wrong.
    public let code: Code
    /// The line that was being read, counted from 1.
    public let line: Int
    /// How many bytes stand before what was being read, since the stream began; it is within a
    /// piece that was read before where a tag began there.
    public let offset: Int
    /// Expat's own words; empty where the refusal is ours.
    public let libraryText: String

    /// What is wrong and where, in one sentence.
    public var description: String {
        let place = "in line \(line)"
        return switch code {
        case .malformed: "The XML is malformed \(place): \(libraryText)."
        case .incomplete: "The XML ends too early, \(place): \(libraryText)."
        case .entityDeclared: "The XML declares an entity \(place): such a file is not read."
        case .tooDeep: "The XML has too many elements within each other \(place)."
        case .tokenTooLong:
            "The XML has a tag or comment \(place) that is too long to be read, or a head that is."
        case .tooManyNames: "The XML has too many different names up to line \(line)."
        case .outOfMemory: "There was no memory left to read the XML \(place)."
        }
    }
}
