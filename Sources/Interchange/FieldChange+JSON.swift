package import JSON
package import Projections

extension FieldChange: JSONWritable {
    /// Writes the field, and what it was and is: numbers as numbers, nothing as `null`.
    package func write(to json: inout JSONWriter) {
        json.object {
            $0.field("field", field)
            $0.field("before", before)
            $0.field("after", after)
        }
    }
}

extension FieldValue: JSONWritable {
    /// Writes the value as what it is.
    package func write(to json: inout JSONWriter) {
        switch self {
        case .absent: json.value(nil as String?)
        case .signed(let number): json.value(number)
        case .unsigned(let number): json.value(number)
        case .hundredths: json.value(description)
        case .flag(let isTrue): json.value(isTrue)
        case .text(let text): json.value(text)
        }
    }
}
