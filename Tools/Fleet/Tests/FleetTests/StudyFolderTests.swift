import Fleet
import Foundation
import TestSupport
import Testing
import Words

@Suite("The folder of a study")
struct StudyFolderTests {
    private let scratch: TemporaryDirectory
    private var path: String { "\(scratch.path)/study" }
    private var folder: StudyFolder { StudyFolder(path) }

    init() throws { scratch = try TemporaryDirectory() }

    private func text(_ name: String) throws -> String {
        try String(contentsOfFile: "\(path)/\(name)", encoding: .utf8)
    }

    private func remove(_ name: String) throws {
        try FileManager.default.removeItem(atPath: "\(path)/\(name)")
    }

    private var seed: String { "\(path)/keeper.seed" }

    @Test("keeps the keys of its people, whether their seeds are still there or not")
    func keys() throws {
        try folder.add(["ann", "bob"])
        let accounts = try text("accounts.conf")
        try remove("ann.seed")
        try folder.add(["ann", "eve"])
        #expect(!FileManager.default.fileExists(atPath: "\(path)/ann.seed"))
        #expect(try text("accounts.conf").contains("PERSON_eve"))
        // Whoever leaves twice has left.
        for _ in 0..<2 {
            try folder.remove("eve", as: seed)
            #expect(try text("accounts.conf") == accounts)
        }
    }

    @Test("lets nobody read a seed, and the server what it is told")
    func permissions() throws {
        try folder.add(["ann"])
        try folder.writeServer(port: 4_222)
        let modes: [(String, Int)] = [
            ("ann.seed", 0o600), ("keeper.seed", 0o600), ("accounts.conf", 0o644),
            ("nats.conf", 0o644),
        ]
        for (name, mode) in modes {
            let attributes = try FileManager.default.attributesOfItem(atPath: "\(path)/\(name)")
            #expect(attributes[.posixPermissions] as? Int == mode, "\(name)")
        }
    }

    @Test("is not written to by somebody who leaves another study")
    func strangers() throws {
        #expect(throws: CommandFailure.self) { try folder.remove("ann", as: nil) }
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        #expect(throws: CommandFailure.self) { try folder.remove("ann", as: nil) }
        #expect(try FileManager.default.contentsOfDirectory(atPath: path) == [])

        try folder.add(["ann", "bob"])
        let accounts = try text("accounts.conf")
        #expect(throws: CommandFailure.self) { try folder.remove("ann", as: "\(path)/ann.seed") }
        #expect(throws: CommandFailure.self) { try folder.remove("keeper", as: seed) }
        try remove("people")
        #expect(throws: CommandFailure.self) { try folder.remove("ann", as: seed) }
        #expect(throws: CommandFailure.self) { try folder.add(["eve"]) }
        #expect(try text("accounts.conf") == accounts)
    }
}
