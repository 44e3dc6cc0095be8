import Foundation
import TestSupport
import Testing

@testable import LMDB

@Suite("Places of values")
struct ValuePlacesTests {
    let directory = TemporaryDirectory.ofTest()

    /// Long and short values on two levels, and free pages.
    private func makeFile() throws -> Data {
        let environment = try openEnvironment(directory.path)
        for start in stride(from: UInt64(0), to: 300, by: 30) {
            try environment.append(start..<start + 30, byteCount: start % 60 == 0 ? 90 : 4_000)
        }
        return try directory.data
    }

    private func find() throws -> (places: [UInt64: Range<Int>], areAll: Bool) {
        var places: [UInt64: Range<Int>] = [:]
        let areAll = try ValuePlaces.find(of: ["log"], inFile: directory.dataFile) {
            if $0 == "log", let key = RecordKey($1) { places[key.number] = $2 }
        }
        return (places, areAll)
    }

    private func places(_ file: Data) throws -> (places: [UInt64: Range<Int>], areAll: Bool) {
        try directory.write(file)
        return try find()
    }

    @Test("are those of all values in a file that holds")
    func sound() throws {
        let file = try makeFile()
        let (places, areAll) = try places(file)
        #expect(areAll)
        #expect(places.keys.sorted() == Array(0..<300))
        for (key, place) in places {
            #expect(Array(file[place]) == payload(of: key, key / 30 % 2 == 0 ? 90 : 4_000))
        }
    }

    @Test("lie in the file, whatever is damaged in it, and are all only if nothing is")
    func damaged() throws {
        let file = try makeFile()
        let whole = try places(file).places
        var generator = SeededGenerator(seed: 7)
        for trial in 0..<400 {
            var damaged = file
            let page = Int.random(in: 0..<file.count / 4_096, using: &generator)
            switch trial % 4 {
            case 0: damaged = file.prefix(Int.random(in: 0..<file.count, using: &generator))
            case 1:
                damaged.replaceSubrange(
                    page * 4_096..<(page + 1) * 4_096, with: Data(count: 4_096))
            default:
                // Most of the numbers that lead somewhere stand at the beginning of a page.
                let reach = trial % 4 == 2 ? 160 : 4_096
                let offset = page * 4_096 + Int.random(in: 0..<reach, using: &generator)
                damaged[offset] = UInt8.random(in: 0...255, using: &generator)
            }
            let places = try places(damaged)
            for place in places.places.values { #expect(place.lowerBound >= 0) }
            if places.areAll { #expect(places.places == whole, "trial \(trial)") }
        }
    }

    @Test("are none in what is no database, and there is no file to look in")
    func alien() throws {
        for count in [0, 1, 151, 5_000, 100_000] {
            let bytes = Data((0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31) })
            let places = try places(bytes)
            #expect(places.places.isEmpty && !places.areAll)
        }
        try FileManager.default.removeItem(atPath: directory.dataFile)
        #expect(try errorCode { try find() } == .system(ENOENT))
        try makeFolder(directory.dataFile)
        #expect(try errorCode { try find() } == .invalidFile)
    }
}
