import Events
import Interchange
import TestSupport

/// Lines of logs, which tests change before they import them.
extension String {
    /// The line with another number in the first field of a name.
    func setting(_ field: String, to number: Int) -> String {
        let parts = split(separator: "\"\(field)\":", maxSplits: 1)
        let rest = parts[1].drop { $0 == "-" || $0.isNumber }
        return "\(parts[0])\"\(field)\":\(number)\(rest)"
    }

    /// The line of the event, so many milliseconds later on both clocks.
    func later(_ milliseconds: Int) throws -> String {
        let event = try Line(self)
        return try ["bootMilliseconds", "wallMilliseconds"].reduce(self) { line, clock in
            line.setting(clock, to: try event.integer(clock) + milliseconds)
        }
    }
}

extension Event {
    /// The event's line, so many milliseconds after the beginning of most captures, which is
    /// 2026-03-01T09:00:00Z.
    func line(at milliseconds: Int64 = 0) -> String {
        let stamp = Stamp(
            boot: UInt64(3_600_000 + milliseconds), wall: 1_772_355_600_000 + milliseconds)
        let event = RecordedEvent(self, at: 0, stamp, flags: .wallTrusted)
        return String(decoding: event.jsonLine.dropLast(), as: UTF8.self)
    }
}
