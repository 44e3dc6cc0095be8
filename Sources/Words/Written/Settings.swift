internal import Text

/// What stands before and after the first equals sign, as `height` and `180cm`; nil where one of
/// them is missing.
func keyAndValue(in setting: String) -> (key: String, value: String)? {
    let parts = setting.split(separator: "=", maxSplits: 1).map(String.init)
    return parts.count == 2 ? (parts[0], parts[1]) : nil
}

/// The whole number of a setting, within a range; nil for `none`.
///
/// - Parameters:
///   - text: What was written.
///   - thing: What the number is, with its article.
///   - range: What it may be.
///   - unit: What follows the range, with a blank before it.
///   - example: A setting that is right.
/// - Returns: The number.
/// - Throws: ``CommandFailure`` with what would be right.
func wholeNumber(
    _ text: String, _ thing: String, _ range: ClosedRange<UInt64>, _ unit: String = "",
    write example: String
) throws(CommandFailure) -> UInt64? {
    if text == "none" { return nil }
    guard let number = UInt64(text), range.contains(number) else {
        throw CommandFailure(
            .usage,
            "\(printable(text)) is not \(thing) from \(range.lowerBound) to "
                + "\(range.upperBound)\(unit).", write: example)
    }
    return number
}
