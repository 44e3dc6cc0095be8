import EventStoreLMDB
import Events
import Foundation
import TestSupport
import Testing

@Suite("Proofs and checkpoints")
struct ProofTests {
    private let bench = Workbench()

    private var file: String { bench.folder + "/day.tlog-proof" }

    @discardableResult
    private func prove(
        _ day: String = "2026-03-01", _ more: String..., status: Int32 = 0, warns words: String = ""
    ) async throws -> RunningProgram.End {
        try await bench.expect(
            ["audit", "prove", "--day", day, "--out", file] + more, status: status, warns: words)
    }

    @Test("a day that is over is proven, and the proof checked without a store")
    func proof() async throws {
        try await bench.load("midnight")
        let told = try Line(await prove("2026-03-01", "--steps", "--json").text)
        #expect(try told.integer("displayed") == 54)
        try FileManager.default.removeItem(atPath: bench.store)
        let check = ["audit", "check-proof", file, "--key", try told.text("key")]
        let proven = try Line(await bench.expect(check + ["--json"]).text)
        #expect(try proven.integer("displayed") == 54 && proven.integer("stepsSum") == 54)
        let text = try await bench.expect(check).text
        #expect(text.hasPrefix("2026-03-01  proven\n    - 54 steps were displayed"))
    }

    @Test("says why it proves nothing: no such day, one that is not over, a file that exists")
    func refusals() async throws {
        try await bench.load("midnight")
        try await prove("2026-03-02", status: 66, warns: "is not over")
        try await prove("2026-05-01", status: 66, warns: "has nothing about 2026-05-01")
        try await prove("1. 3. 2026", status: 64)
        try await prove()
        try await prove(status: 73, warns: "already exists")
    }

    @Test("a proof is refused under another key, cut off, changed, missing, or as a log")
    func badProofs() async throws {
        try await bench.load("midnight")
        let key = try Line(await prove("2026-03-01", "--json").text).text("key")
        let content = try String(contentsOfFile: file, encoding: .utf8)
        let changed = content.replacing("\nindex 0\n", with: "\nindex 1\n")
        let strange = "PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW"
        for (path, key, status, words) in [
            (try bench.file("changed", changed), key, 1, "does not vouch"),
            (try bench.file("cut", String(content.dropLast(10))), key, 65, ""),
            (bench.folder + "/none", key, 66, ""), (ReplayCase("midnight").capture, key, 65, ""),
            (file, "nonsense", 64, ""), (file, strange, 1, ""),
        ] as [(String, String, Int32, String)] {
            try await bench.expect(
                "audit", "check-proof", path, "--key", key, status: status, warns: words)
        }
    }

    @Test("a session is signed when it ends; an older store in its place is found, and not signed")
    func rollback() async throws {
        let record = ["record", "--simulate", "--for", "2s", "--json"]
        try await bench.expect(record)
        let first = try await bench.object("log", "verify")
        #expect(try first.integer("checkpoints") > 0)
        #expect(try first.integer("signedEvents") == first.integer("events"))
        let old = try Data(contentsOf: bench.dataFile)
        try await bench.expect(record)
        try await bench.expect("log", "verify", says: "over all of them")
        try old.write(to: bench.dataFile)
        try await bench.expect("log", "verify", status: 1, says: "should vouch for them")
        let line = try await bench.object("log", "verify")
        #expect(line.flag("eventsGood") && !line.flag("sound"))
        #expect(try line.text("damage").contains("should vouch for them"))
        // A walk is recorded all the same, and it is said that nobody vouches for it.
        try await bench.expect("record", "--simulate", "--for", "2s")
        try await bench.expect("log", "verify", status: 1)
        try await prove(status: 1, warns: "pulselog log restore")
    }

    private static let notAsSealed = "block 0 is not as it was sealed"

    /// Expects that what need not look at every event says that the log is bad.
    private func expectWarnings(_ words: String, status: Int32 = 0) async throws {
        for command in ["steps", "sessions", "status"] {
            try await bench.expect(command, status: status, warns: words)
        }
    }

    /// Changes a byte of the first sealed block, and makes its checksum good.
    private func alterBlock() throws {
        let log = try LMDBEventLog.open(directory: bench.store, mode: .readOnly)
        var block: [UInt8] = []
        try log.readBlocks(from: 0) { first in
            block = [UInt8](copying: first)
            return false
        }
        log.close()
        var forged = block
        forged[forged.count - 3] ^= 1
        let checksum = CRC32C.checksum(Array(forged[4...]).span)
        for index in 0..<4 { forged[index] = UInt8(truncatingIfNeeded: checksum >> (8 * index)) }
        var content = try Data(contentsOf: bench.dataFile)
        try #require(content.range(of: Data(block)) != nil)
        // Free pages may hold it as well, before the page in use.
        while let place = content.range(of: Data(block)) {
            content.replaceSubrange(place, with: forged)
        }
        try content.write(to: bench.dataFile)
    }

    @Test("altered steps get no signature: nothing is appended, proven, certified or copied")
    func alteredBlock() async throws {
        try await bench.load("midnight")
        try await prove()
        try FileManager.default.removeItem(atPath: file)
        try alterBlock()
        let bytes = try Data(contentsOf: bench.dataFile)
        for command in [
            "health 10", "audit prove --day 2026-03-01 --steps --out \(file)",
            "log backup \(bench.folder)/backup", "audit check",
        ] {
            try await bench.expect(command.arguments, status: 65, says: Self.notAsSealed)
        }
        let verified = try await bench.expect("log", "verify", status: 1, says: Self.notAsSealed)
        #expect(verified.text.hasPrefix("0 good events, then: "))
        #expect(try await bench.run("doctor").text.contains("is not as it was"))
        #expect(try Data(contentsOf: bench.dataFile) == bytes)
        #expect(!FileManager.default.fileExists(atPath: file))
        try await expectWarnings(Self.notAsSealed, status: 65)
    }

    @Test("what is known to be bad is said by whoever answers without looking, until it is not")
    func knownDamage() async throws {
        let record = ["record", "--simulate", "--for", "2s", "--json"]
        for _ in 0..<2 { #expect(try await bench.start(record).end.status == 0) }
        try await bench.expect("status", "--json", says: "\"selfCheck\":{\"at\":\"20")
        #expect(try await bench.run("status").messages.isEmpty)
        let sound = try Data(contentsOf: bench.dataFile)
        try alterBlock()
        #expect(try await bench.run("steps").messages.isEmpty, "Nobody has looked.")
        try await bench.expect("log", "verify", status: 1)
        try await expectWarnings("known to be bad from position 0 on")
        #expect(try await bench.run("doctor").text.contains("bad from position 0"))
        try sound.write(to: bench.dataFile)
        try await bench.expect("log", "verify")
        #expect(try await bench.run("steps").messages.isEmpty)
    }

    @Test("audit check fails where log verify does, and says what nothing vouches for")
    func auditCheck() async throws {
        try await bench.load("midnight")
        try await bench.expect("audit", "check", warns: "Nothing is signed yet")
        let old = try Data(contentsOf: bench.dataFile)
        try await prove()
        let signed = try await bench.expect("audit", "check")
        #expect(signed.messages.isEmpty, "\(signed.messages)")
        try old.write(to: bench.dataFile)
        try await bench.expect("audit", "check", status: 1, says: "should vouch for them")
    }

    @Test("says nothing of the events where only the key's file is not as it should be")
    func exposedKey() async throws {
        try await bench.load("midnight")
        try await prove()
        let files = FileManager.default
        let state = bench.folder + "/.local/state"
        let key = try #require(files.subpaths(atPath: state)?.first { $0.hasSuffix("/key") })
        try files.setAttributes([.posixPermissions: 0o644], ofItemAtPath: "\(state)/\(key)")
        let found = try await bench.expect("log", "verify", status: 1, says: "others can read")
        #expect(!found.text.contains("not what was signed"))
    }

    @Test("without a folder for the key everything works, and nothing is signed")
    func homeless() async throws {
        let homeless = ["HOME": "", "XDG_STATE_HOME": ""]
        try await bench.expect("record", "--simulate", "--for", "1s", variables: homeless)
        try await bench.expect("log", "verify", says: "Nothing is signed yet", variables: homeless)
        try await bench.expect(
            "audit", "prove", "--day", "2026-03-01", "--out", file, status: 78,
            says: "HOME is not set", variables: homeless)
    }
}
