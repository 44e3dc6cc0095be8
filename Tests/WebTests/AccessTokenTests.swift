import Foundation
import TestSupport
import Testing

@testable import Web
import Words

@Suite("The token")
struct AccessTokenTests {
    private let folder = TemporaryDirectory.ofTest()

    private var path: String { "\(folder.path)/\(AccessToken.Purpose.health.rawValue)" }

    private func token(_ purpose: AccessToken.Purpose = .health) throws -> AccessToken {
        try AccessToken(purpose, inStore: folder.path, random: randomBytes)
    }

    @Test("is base64url, as another library writes it")
    func text() {
        for seed in 0..<64 {
            let bytes = (0..<32).map { UInt8(truncatingIfNeeded: $0 * seed * 37 + seed) }
            let expected = Data(bytes).base64EncodedString()
                .replacingOccurrences(of: "+", with: "-").replacingOccurrences(of: "/", with: "_")
                .replacingOccurrences(of: "=", with: "")
            #expect(AccessToken(random: bytes).text == expected)
        }
    }

    @Test("is made once, for its owner only, and then read")
    func madeOnce() throws {
        let made = try token()
        let read = try AccessToken(.health, inStore: folder.path) { _ in
            Issue.record("A second token is made.")
            return []
        }
        #expect(made == read)
        #expect(try permissions(of: path) == 0o600)
        #expect(try names(in: folder.path) == ["health-token"])
    }

    @Test("is replaced when a new one is wanted, and the file is its owner's again")
    func replaced() throws {
        let first = try token(.walks)
        let second = try AccessToken(
            .walks, inStore: folder.path, isNew: true, random: randomBytes)
        #expect(first != second)
        #expect(try token(.walks) == second)
        let name = AccessToken.Purpose.walks.rawValue
        #expect(try names(in: folder.path) == [name])
        let path = "\(folder.path)/\(name)"
        #expect(try permissions(of: path) == 0o600)
    }

    @Test("is another one after its end, which ends no other")
    func ended() throws {
        let first = try token(.walks)
        first.end(.walks, inStore: folder.path)
        let second = try token(.walks)
        #expect(first != second)
        first.end(.walks, inStore: folder.path)
        #expect(try token(.walks) == second)
    }

    @Test("is one and the same for all who make it at once")
    func madeAtOnce() async throws {
        let folder = folder
        let tokens = try await withThrowingTaskGroup(of: AccessToken.self) { group in
            for _ in 0..<16 {
                group.addTask {
                    try AccessToken(.health, inStore: folder.path, random: randomBytes)
                }
            }
            return try await group.reduce(into: Set()) { $0.insert($1) }
        }
        #expect(tokens.count == 1)
    }

    @Test("is not read from a file that others can read, or that holds something else")
    func refused() throws {
        let files: [(text: String, mode: Int)] = [
            (String(repeating: "A", count: 43) + "\n", 0o640), ("", 0o600), ("short\n", 0o600),
            (String(repeating: "A", count: 43), 0o600),
            (String(repeating: "!", count: 43) + "\n", 0o600),
        ]
        for (text, mode) in files {
            _ = FileManager.default.createFile(
                atPath: path, contents: Data(text.utf8), attributes: [.posixPermissions: mode])
            let error = #expect(throws: CommandFailure.self) { try token() }
            #expect(error?.message.contains(path) == true)
            #expect(try String(contentsOfFile: path, encoding: .utf8) == text)
            try FileManager.default.removeItem(atPath: path)
        }
    }

    @Test("equals itself and nothing else")
    func equality() {
        let token = AccessToken(random: [UInt8](0..<32))
        #expect(token.equals(token.text))
        for index in 0..<43 {
            var bytes = Array(token.text.utf8)
            bytes[index] ^= 1
            #expect(!token.equals(String(decoding: bytes, as: UTF8.self)))
        }
        #expect(!token.equals(token.text + "A"))
        #expect(!token.equals(token.text.dropLast()))
        #expect(!token.equals(""))
    }
}
