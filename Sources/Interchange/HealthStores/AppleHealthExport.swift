internal import XML

/// Reads the steps out of Apple Health's `export.xml`, in pieces.
///
/// Source of the form: the document type at the head of the file itself. Only elements `Record` of
/// type `HKQuantityTypeIdentifierStepCount` directly in `HealthData` count; how several sources of
/// one minute become one count is the rule of ``StepRecords``, since the health store's own merging
/// is not in the file. Dates are those of the zone that a record begins in, which it tells itself.
///
/// ```swift
/// var records = StepRecords { _ in 60 }
/// var export = AppleHealthExport()
/// for chunk in chunks { try export.push(chunk, into: &records) }
/// try export.finish(into: &records)
/// let totals = try records.totals()
/// ```
///
/// After an error of code `damaged` the records that stand before the damage are there: a part of
/// the file has no more steps than the whole, so their totals are lower bounds.
public struct AppleHealthExport: ~Copyable {
    /// Step records whose count, unit or dates cannot be read.
    public private(set) var unreadableCount: UInt64 = 0

    private var stream = XMLStream()

    /// Begins a file.
    public init() {}

    /// Reads the next piece of the file.
    ///
    /// - Parameters:
    ///   - bytes: The piece, less than 2 GiB; pieces may be cut anywhere.
    ///   - records: Where the step records go.
    /// - Throws: ``HealthStoreError``; nothing can be read after it.
    public mutating func push(
        _ bytes: [UInt8], into records: inout StepRecords
    ) throws(HealthStoreError) {
        var reader = RecordReader()
        do throws(XMLError) {
            _ = try stream.push(bytes.span) { reader.take($0, into: &records) }
        } catch {
            throw HealthStoreError(error)
        }
        unreadableCount += reader.unreadableCount
        if let failure = reader.failure { throw failure }
    }

    /// Ends the file.
    ///
    /// - Parameter records: Where the step records go.
    /// - Throws: ``HealthStoreError`` of code `damaged` if the file is cut off.
    public mutating func finish(into records: inout StepRecords) throws(HealthStoreError) {
        var reader = RecordReader()
        do throws(XMLError) {
            try stream.finish { reader.take($0, into: &records) }
        } catch {
            throw HealthStoreError(error)
        }
        if let failure = reader.failure { throw failure }
    }
}

/// What came of the elements of one piece.
private struct RecordReader {
    var unreadableCount: UInt64 = 0
    var failure: HealthStoreError?

    /// Looks at an element.
    ///
    /// - Returns: Whether to go on.
    mutating func take(_ element: borrowing XMLElement, into records: inout StepRecords) -> Bool {
        if element.depth == 1, !element.isNamed("HealthData") {
            failure = HealthStoreError(
                .foreign, "This XML is not an Apple Health export: it has no HealthData.")
            return false
        }
        guard element.depth == 2, element.isNamed("Record"),
            element.attribute("type", is: "HKQuantityTypeIdentifierStepCount")
        else { return true }
        guard element.attribute("unit", is: "count"),
            let steps = element.attribute("value").flatMap(wholeSteps),
            let start = element.attribute("startDate").flatMap(InstantText.init),
            let end = element.attribute("endDate").flatMap(InstantText.init)
        else {
            unreadableCount += 1
            return true
        }
        do throws(StepRecordsError) {
            let source = element.attribute("sourceName") ?? ""
            try records.add(
                source: source, from: start.milliseconds, until: end.milliseconds, steps: steps,
                offsetMinutes: start.offsetMinutes)
            return true
        } catch {
            failure = HealthStoreError(error)
            return false
        }
    }
}

/// The whole steps of a count; some programs write fractions, which are cut off.
private func wholeSteps(_ text: String) -> Int64? {
    let parts = text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    let areDigits = parts.allSatisfy { part in
        !part.isEmpty
            && part.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    }
    return areDigits ? Int64(parts[0]) : nil
}
