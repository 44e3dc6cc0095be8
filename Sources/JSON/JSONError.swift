/// A text that is no JSON, or more of it than a reader takes.
public struct JSONError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What is wrong with the text.
    public enum Code: String, Sendable {
        /// The text ends inside of a value.
        case unexpectedEnd
        /// A byte that cannot stand here.
        case unexpectedByte
        /// A number in a form that JSON does not have, such as `01`, `+1`, `.5` or `NaN`.
        case invalidNumber
        /// An unknown escape sequence in a string.
        case invalidEscape
        /// An escaped half of a surrogate pair without its other half.
        case loneSurrogate
        /// A control character in a string that is not escaped.
        case controlCharacter
        /// Bytes that are not UTF-8.
        case invalidUTF8
        /// A name that the same object has already.
        case duplicateKey
        /// More nested arrays and objects than ``JSONParser/Limits/depth``.
        case tooDeep
        /// More bytes than ``JSONParser/Limits/bytes``.
        case tooLarge
        /// Something follows the one value.
        case trailingBytes
    }

    /// What is wrong.
    public let code: Code
    /// Where, in bytes from the beginning of the text.
    public let offset: Int

    /// Makes an error about one place.
    public init(_ code: Code, offset: Int) {
        (self.code, self.offset) = (code, offset)
    }

    /// What is wrong and where, in one sentence.
    public var description: String {
        let place = "at byte \(offset)"
        return switch code {
        case .unexpectedEnd: "The JSON ends too early, \(place)."
        case .unexpectedByte: "The JSON has an unexpected character \(place)."
        case .invalidNumber: "The number \(place) is not valid JSON."
        case .invalidEscape: "The escape sequence \(place) is not valid JSON."
        case .loneSurrogate: "The escaped character \(place) is half of a surrogate pair."
        case .controlCharacter: "The control character \(place) has to be escaped."
        case .invalidUTF8: "The bytes \(place) are not UTF-8."
        case .duplicateKey: "The key \(place) is already in the same object."
        case .tooDeep: "Arrays and objects are nested too deeply \(place)."
        case .tooLarge: "The JSON is too long: at most \(offset) bytes are read."
        case .trailingBytes: "Something follows the value, \(place)."
        }
    }
}
