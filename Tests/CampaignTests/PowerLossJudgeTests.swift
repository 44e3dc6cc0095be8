import CampaignRuns
import EventStoreLMDB
import TestSupport
import Testing

@testable import PowerLoss

/// The judge of `Tools/Campaigns/PowerLoss`, on remains that no power cut leaves.
@Suite("Power loss judge")
struct PowerLossJudgeTests {
    private static let id = [UInt8](repeating: 7, count: LogOrigin.idBytes)

    private let folder: TemporaryDirectory
    private let judge: Judge

    init() async throws {
        folder = try TemporaryDirectory()
        let (tree, after) = try await Self.store(of: 4, first: 0, in: "\(folder.path)/whole")
        judge = Judge(
            scenario: try #require(Scenario.all.first { $0.name == "append" }), before: tree,
            eventsBefore: 2, after: after, place: "\(folder.path)/trial")
    }

    /// A folder with a store of some appended events, and what it tells.
    private static func store(
        of count: Int, first: Int, in place: String
    ) async throws -> (FileTree, StoreReading) {
        try Files.put(.folder([:]), place)
        let log = try LMDBEventLog.open(
            directory: "\(place)/store", mode: .create(try Writer.origin(id: id)))
        for number in first..<first + count {
            _ = try await log.append(Writer.batch(1, number: number), expecting: nil)
        }
        log.close()
        let reading = try StoreReading("\(place)/store", state: "\(place)/state")
        return (try #require(try Files.tree(of: place)), reading)
    }

    /// The moment after so many events were acknowledged.
    private static func moment(said: UInt64?) throws -> TracedRun.Moment {
        TracedRun.Moment(
            disk: try CachedDisk(durable: .folder([:])), said: TracedRun.Said(events: said),
            words: "now")
    }

    private func verdict(
        of count: Int, first: Int = 0, said: UInt64?
    ) async throws -> String {
        let place = "\(folder.path)/\(count)-\(first)"
        let (tree, _) = try await Self.store(of: count, first: first, in: place)
        let verdict = try await judge.verdict(on: tree, at: Self.moment(said: said))
        return "\(verdict)"
    }

    @Test("lets the log end after what was told, or after more")
    func whole() async throws {
        let told = try await verdict(of: 3, said: 4)
        let more = try await verdict(of: 4, said: 4)
        let silent = try await verdict(of: 1, said: nil)
        #expect(told == "whole")
        #expect(more == "whole")
        #expect(silent == "whole")
    }

    @Test("finds an event that was told and is missing")
    func lost() async throws {
        let verdict = try await verdict(of: 2, said: 4)
        #expect(verdict.hasPrefix("lost"))
    }

    @Test("finds an event of another run, and one too many")
    func invented() async throws {
        let other = try await verdict(of: 4, first: 1, said: 1)
        let more = try await verdict(of: 5, said: 5)
        #expect(other.hasPrefix("invented"))
        #expect(more.hasPrefix("invented"))
    }

    @Test("finds a store that is not there, one that is damaged, and a name that nobody knows")
    func others() async throws {
        let moment = try Self.moment(said: nil)
        let missing = try await judge.verdict(on: .folder([:]), at: moment)
        let damaged = try await judge.verdict(
            on: .folder(["store": .folder(["data.mdb": .file([1, 2, 3])])]), at: moment)
        let strange = try await judge.verdict(on: .folder(["other": .file([])]), at: moment)
        #expect("\(missing)".hasPrefix("lost"))
        #expect("\(damaged)".hasPrefix("unopened"))
        #expect("\(strange)".hasPrefix("unsound"))
    }
}
