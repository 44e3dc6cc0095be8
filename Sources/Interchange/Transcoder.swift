internal import Events

/// Lets one coder read each field and another write it: one form of an event becomes another
/// without the event between them.
///
/// What the two share is the description of the payload, which neither knows.
struct Transcoder<Source: FieldCoder, Target: FieldCoder>: FieldCoder {
    /// Reads.
    var source: Source
    /// Writes.
    var target: Target

    mutating func unsigned(
        _ name: StaticString, _ value: inout UInt64, in range: ClosedRange<UInt64>
    ) throws(FieldError) {
        try source.unsigned(name, &value, in: range)
        try target.unsigned(name, &value, in: range)
    }

    mutating func signed(
        _ name: StaticString, _ value: inout Int64, in range: ClosedRange<Int64>
    ) throws(FieldError) {
        try source.signed(name, &value, in: range)
        try target.signed(name, &value, in: range)
    }

    mutating func byte(
        _ name: StaticString, _ value: inout UInt8, in range: ClosedRange<UInt8>
    ) throws(FieldError) {
        try source.byte(name, &value, in: range)
        try target.byte(name, &value, in: range)
    }

    mutating func flag(_ name: StaticString, _ value: inout Bool) throws(FieldError) {
        try source.flag(name, &value)
        try target.flag(name, &value)
    }

    mutating func text(
        _ name: StaticString, _ value: inout String, limit: Int
    ) throws(FieldError) {
        try source.text(name, &value, limit: limit)
        try target.text(name, &value, limit: limit)
    }

    mutating func bytes(
        _ name: StaticString, _ value: inout [UInt8], limit: Int
    ) throws(FieldError) {
        try source.bytes(name, &value, limit: limit)
        try target.bytes(name, &value, limit: limit)
    }

    mutating func fixedBytes(
        _ name: StaticString, _ value: inout [UInt8], count: Int
    ) throws(FieldError) {
        try source.fixedBytes(name, &value, count: count)
        try target.fixedBytes(name, &value, count: count)
    }

    mutating func code<Code: CodedName>(
        _ name: StaticString, _ value: inout Code
    ) throws(FieldError) {
        try source.code(name, &value)
        try target.code(name, &value)
    }

    mutating func openCode<Code: CodedName>(
        _ name: StaticString, _ value: inout OpenCode<Code>
    ) throws(FieldError) {
        try source.openCode(name, &value)
        try target.openCode(name, &value)
    }

    mutating func device(_ name: StaticString, _ value: inout DeviceID) throws(FieldError) {
        try source.device(name, &value)
        try target.device(name, &value)
    }

    mutating func date(_ name: StaticString, _ value: inout CivilDate) throws(FieldError) {
        try source.date(name, &value)
        try target.date(name, &value)
    }

    mutating func presence(_ name: StaticString, _ isPresent: inout Bool) throws(FieldError) {
        try source.presence(name, &isPresent)
        try target.presence(name, &isPresent)
    }
}

extension Transcoder: Sendable where Source: Sendable, Target: Sendable {}
