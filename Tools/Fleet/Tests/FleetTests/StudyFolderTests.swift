import Fleet
import FleetClient
import Foundation
import Testing

@Suite("The folder of a study")
struct StudyFolderTests {
    private let path = FileManager.default.temporaryDirectory
        .appending(path: "study-\(UUID().uuidString)").path
    private var folder: StudyFolder { StudyFolder(path) }

    private func text(_ name: String) throws -> String {
        try String(contentsOfFile: "\(path)/\(name)", encoding: .utf8)
    }

    private func remove(_ name: String = "") throws {
        try FileManager.default.removeItem(atPath: "\(path)/\(name)")
    }

    private var seed: String { "\(path)/keeper.seed" }

    @Test("keeps the keys of its people, whether their seeds are still there or not")
    func keys() throws {
        try folder.add(["ann", "bob"])
        defer { #expect(throws: Never.self) { try remove() } }
        let accounts = try text("accounts.conf")
        try remove("ann.seed")
        try folder.add(["ann", "eve"])
        #expect(!FileManager.default.fileExists(atPath: "\(path)/ann.seed"))
        #expect(try text("accounts.conf").contains("PERSON_eve"))
        try folder.remove("eve", as: seed)
        #expect(try text("accounts.conf") == accounts)
    }

    @Test("is not written to by somebody who leaves another study")
    func strangers() throws {
        #expect(throws: Failure.self) { try folder.remove("ann", as: nil) }
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        defer { #expect(throws: Never.self) { try remove() } }
        #expect(throws: Failure.self) { try folder.remove("ann", as: nil) }
        #expect(try FileManager.default.contentsOfDirectory(atPath: path) == [])

        try folder.add(["ann", "bob"])
        let accounts = try text("accounts.conf")
        #expect(throws: Failure.self) { try folder.remove("ann", as: "\(path)/ann.seed") }
        #expect(throws: Failure.self) { try folder.remove("keeper", as: seed) }
        try remove("people")
        #expect(throws: Failure.self) { try folder.remove("ann", as: seed) }
        #expect(throws: Failure.self) { try folder.add(["eve"]) }
        #expect(try text("accounts.conf") == accounts)
    }
}
