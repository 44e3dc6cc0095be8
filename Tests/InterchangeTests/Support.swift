import Interchange

extension [UInt8] {
    /// The bytes as text, for comparisons that a person reads.
    var text: String { String(decoding: self, as: UTF8.self) }
}

/// The value or the error that a JSON text gives.
func parsed(
    _ text: [UInt8], limits: JSONParser.Limits = JSONParser.Limits()
) -> Result<JSONValue, JSONError> {
    Result { () throws(JSONError) in try JSONParser.parse(text, limits: limits) }
}
