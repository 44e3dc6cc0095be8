import Events
import Foundation
import Testing
import Text

@testable import Words

/// The vectors of `Tests/Browser/formats.json`, which the page's tests read too: each number, time
/// and date that people read.
@Suite("Formats")
struct FormatTests {
    private static var vectors: [String: [[Any]]] {
        let file = URL(filePath: #filePath)
            .deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "Browser/formats.json")
        do {
            let object = try JSONSerialization.jsonObject(with: try Data(contentsOf: file))
            return object as? [String: [[Any]]] ?? [:]
        } catch {
            fatalError("\(file.path) cannot be read: \(error)")
        }
    }

    private static let formats: [String: @Sendable (UInt64) -> String] = [
        "kilometres": { Units.metric.distance($0) }, "kilocalories": { kilocalories($0) },
        "duration": { TimeText.duration($0) },
        "hours": { hours($0) }, "decimal": { decimal(hundredths: $0) },
        "whole": { "\(whole(hundredths: $0))" }, "grouped": { grouped($0) },
        "metres": { wholeMetres($0) }, "feet": { Units(isInMiles: true).climbNumber($0) },
        "miles": { Units(isInMiles: true).distance($0) },
    ]

    @Test(
        "write each number of the vectors as the vectors have it", arguments: formats.keys.sorted())
    func numbers(_ name: String) throws {
        let format = try #require(Self.formats[name])
        let vectors = try #require(Self.vectors[name])
        #expect(vectors.count > 1)
        for vector in vectors {
            let number = try #require(vector[0] as? NSNumber).uint64Value
            #expect(format(number) == vector[1] as? String, "\(name) of \(number)")
        }
    }

    @Test("write a pace, or nothing where nobody moved")
    func paces() throws {
        for vector in try #require(Self.vectors["pace"]) {
            let numbers = vector.prefix(2).compactMap { ($0 as? NSNumber)?.uint64Value }
            #expect(Units.metric.pace(numbers[0], numbers[1]) == vector[2] as? String, "\(numbers)")
        }
    }

    @Test("write times where the walker was, to either end of time")
    func times() throws {
        for vector in try #require(Self.vectors["time"]) {
            let numbers = vector.prefix(2).compactMap { ($0 as? NSNumber)?.int64Value }
            let time = LocalTime(numbers[0], offsetMinutes: numbers[1])
            #expect("\(time.date) \(time.exact)" == vector[2] as? String)
        }
        for wall in [Int64.min, .max] {
            for offset in [Int64.min, -1, 1, .max] {
                #expect(LocalTime(wall, offsetMinutes: offset).clock.utf8.count == 5)
            }
        }
    }

    @Test("write parts of a time that add up to it, and raise those that lose most")
    func parts() {
        #expect(TimeText.whole([1_999, 1_999, 2]) == [2_000, 2_000, 0])
        #expect(TimeText.whole([500, 500, 999, 0]) == [0, 0, 1_000, 0])
        #expect(TimeText.whole([500, .max - 615, 500]) == [1_000, .max - 615, 0])
    }

    @Test("write dates in four lengths")
    func dates() throws {
        for vector in try #require(Self.vectors["dates"]) {
            let texts = vector.compactMap { $0 as? String }
            let date = try #require(CivilDate(texts[0]))
            #expect([date.long, date.short, date.small] == Array(texts.dropFirst()))
        }
    }
}
