internal import Events
internal import JSON

/// A line that is not an event.
package struct JSONLinesError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What is wrong with the line.
    package enum Code: String, Sendable {
        /// The line is no JSON.
        case invalidJSON
        /// The line is JSON, but no object.
        case notAnObject
        /// A key that the event needs is not there.
        case missingKey
        /// A key that the event does not have.
        case unknownKey
        /// The name of a kind that this version does not know.
        case unknownKind
        /// A value of the wrong type, outside of its range or not in its form.
        case invalidValue
        /// The line is longer than ``JSONLines/lineLimitBytes``.
        case lineTooLong
        /// The file ends inside of the line.
        case truncatedLine
    }

    /// What is wrong.
    package let code: Code
    /// The line's number in its file, from 1.
    package let line: Int
    /// The key that it is about, if it is about one; possibly a stranger's text.
    package let key: String?
    /// What happened, in one sentence.
    package let reason: String

    /// Makes an error about a line.
    init(_ code: Code, line: Int, key: String? = nil, reason: String) {
        (self.code, self.line, self.key, self.reason) = (code, line, key, reason)
    }

    /// Makes an error from a problem and the error that a coder threw because of it.
    init(_ problem: JSONFieldReader.Problem, line: Int, field: FieldError) {
        let reason = problem.reason ?? field.description
        self.init(problem.code, line: line, key: problem.key ?? field.field, reason: reason)
    }

    /// Line, key, reason and what to do; safe to print, whatever the line held.
    package var description: String {
        var place: [UInt8] = Array("Line \(line)".utf8)
        if let key {
            place += Array(", key ".utf8)
            place.appendJSONString(String(key.unicodeScalars.prefix(64)))
        }
        return "\(String(decoding: place, as: UTF8.self)): \(reason) \(remedy)"
    }

    private var remedy: String {
        switch code {
        case .invalidJSON, .notAnObject:
            "Each line holds one JSON object; repair the line or leave it out."
        case .missingKey: "Every key must be present: write null for an absent value."
        case .unknownKey: "Remove the key, or import with the version that wrote it."
        case .unknownKind: "Import with the version that wrote it, or name the kind by its number."
        case .invalidValue: "Write the value as an export does."
        case .lineTooLong: "An event takes one line of at most 16 KiB; look for a lost line break."
        case .truncatedLine: "Fetch the file again; the lines before this one are whole."
        }
    }
}
