import Events
import Interchange

extension NumberEntrances {
    /// Whether a FIT file's number becomes a fact, or is left out.
    static func fit(_ text: String) -> Fate {
        let words = text.split(separator: " ")
        guard words.count == 2, let number = Int64(words[1]) else { return .leftOut }
        var reader = FITReader()
        reader.push(file(String(words[0]), number).span)
        reader.finish()
        let facts = reader.facts
        switch words[0] {
        case "hrv.time":
            var fate = Fate.leftOut
            facts.forEachInOrder {
                if $0.decoded != .heartRate(80, rrTicks: []) { fate = .taken }
            }
            return fate
        case "monitoring.steps": return facts.days.isEmpty ? .leftOut : .taken
        case "activity.local_timestamp": return facts.offsetMinutes == nil ? .leftOut : .taken
        default: return facts.count == 0 ? .leftOut : .taken
        }
    }

    /// A file whose checksum is not heeded, for it comes last.
    private static func file(_ name: String, _ number: Int64) -> [UInt8] {
        let now: Int64 = 1_141_290_000
        let messages: [UInt8] =
            switch name {
            case "record.timestamp": message(20, [(253, 0x86, 4, number), (3, 2, 1, 80)])
            case "record.heart_rate": message(20, [(253, 0x86, 4, now), (3, 2, 1, number)])
            case "record.position_lat":
                message(20, [(253, 0x86, 4, now), (0, 0x85, 4, number), (1, 0x85, 4, 1)])
            case "record.position_long":
                message(20, [(253, 0x86, 4, now), (0, 0x85, 4, 1), (1, 0x85, 4, number)])
            case "hrv.time":
                message(20, [(253, 0x86, 4, now), (3, 2, 1, 80)])
                    + message(78, [(0, 0x84, 2, number)])
            case "monitoring.steps":
                message(103, [(253, 0x86, 4, now), (0, 0x86, 4, now)])
                    + message(55, [(253, 0x86, 4, now), (5, 0, 1, 6), (3, 0x86, 4, number)])
            default: message(34, [(253, 0x86, 4, now), (5, 0x86, 4, now + number)])
            }
        return [14, 0x20, 0, 8] + bytes(Int64(messages.count), 4) + ".FIT".utf8 + [0, 0] + messages
    }

    private static func message(
        _ number: UInt8, _ fields: [(number: UInt8, type: UInt8, size: Int, value: Int64)]
    ) -> [UInt8] {
        [0x40, 0, 0, number, 0, UInt8(fields.count)]
            + fields.flatMap { [$0.number, UInt8($0.size), $0.type] } + [0]
            + fields.flatMap { bytes($0.value, $0.size) }
    }

    private static func bytes(_ number: Int64, _ count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: number >> (8 * Int64($0))) }
    }
}
