import Clocks
import Foundation
import TestSupport
import Testing

@testable import Web
import Words

@Suite("The phones")
struct PhoneBookTests {
    private let folder = TemporaryDirectory.ofTest()

    private static func at(_ milliseconds: UInt64) -> Arrival {
        Arrival(
            bootMilliseconds: 5_000_000 + milliseconds,
            wallMilliseconds: 1_772_355_600_000 + Int64(milliseconds), isWallTrusted: true)
    }

    private static func secret(_ seed: UInt8) -> AccessToken {
        AccessToken(random: [UInt8](repeating: seed, count: 32))
    }

    /// Redeems a code for another secret each time.
    private func redeem(_ text: String, in book: inout PhoneBook, at milliseconds: UInt64 = 0)
        -> PhoneBook.Redemption
    {
        book.redeem(
            text, for: Self.secret(UInt8(book.phones.count + 1)), at: Self.at(milliseconds))
    }

    @Test(
        "are revoked where the disk is full or their file is bad, and none is added there",
        .enabled(if: SmallDisk.isPossible))
    func fullDisk() throws {
        let disk = try SmallDisk(on: folder.path)
        defer { disk.unmount() }
        let file = PhoneFile(inStore: folder.path)
        func add(_ name: String) throws {
            _ = try file.change { $0.add(name, .walk, Self.secret(1), at: Self.at(0)) }
        }
        for name in ["One", "Two", "Three"] { try add(name) }
        try disk.fill("rest")
        let error = #expect(throws: CommandFailure.self) { try add("Four") }
        #expect(error?.exitCode == .inputOutput && error?.message.contains("make room") == true)
        _ = try file.change { $0.phones.remove(at: 1) }
        for reader in [file, PhoneFile(inStore: folder.path)] {
            #expect(try reader.book().phones.map(\.name) == ["One", "Three"])
        }
        for _ in 0..<2 { try file.revokeAll() }
        #expect(try file.book() == PhoneBook())
        // Nothing is made where there was no phone.
        #expect(unlink(folder.path + "/phones") == 0)
        try file.revokeAll()
        #expect(access(folder.path + "/phones", F_OK) != 0)
    }

    @Test("are let in as their file was when it was looked at, not by a look of whoever asks")
    func looks() throws {
        let file = PhoneFile(inStore: folder.path)
        for count in 1...2 {
            _ = try PhoneFile(inStore: folder.path).change {
                $0.add("Phone \(count)", .all, Self.secret(UInt8(count)), at: Self.at(0))
            }
            #expect(file.admitted.phones.count == count - 1)
            file.look()
            #expect(file.admitted.phones.count == count)
        }
        try Data("nonsense".utf8).write(to: URL(filePath: folder.path + "/phones"))
        file.look()
        #expect(file.admitted == PhoneBook())
    }

    @Test("are all revoked in turn, whatever their file is like")
    func revokeAll() throws {
        let file = PhoneFile(inStore: folder.path)
        for bytes in ["", "nonsense", #"{"phones":[{"na"#] {
            _ = try file.change { $0.makeCode(at: Self.at(0), random: randomBytes) }
            try Data(bytes.utf8).write(to: URL(filePath: folder.path + "/phones"))
            try file.revokeAll()
            #expect(try file.book() == PhoneBook())
        }
        let turn = open(folder.path + "/phones.lock", O_RDWR)
        #expect(flock(turn, LOCK_EX) == 0)
        #expect(throws: CommandFailure.self) { try file.revokeAll() }
        close(turn)
    }

    @Test("are let in by a code, once, as it is typed and as it is scanned")
    func once() {
        for isScanned in [false, true] {
            var book = PhoneBook()
            #expect(redeem("", in: &book) == .wrong)
            let code = book.makeCode(at: Self.at(0), random: randomBytes)
            #expect(code.typed.wholeMatch(of: /[0-9A-HJKMNP-TV-Z]{4}-[0-9A-HJKMNP-TV-Z]{4}/) != nil)
            let text = isScanned ? code.scanned : code.typed
            #expect(redeem(text, in: &book) == .paired(name: "Phone"))
            for again in [code.typed, code.scanned] { #expect(redeem(again, in: &book) == .wrong) }
            #expect(book.phones.map(\.kind) == [.walk])
            #expect(book.phone(with: [Self.secret(1).text[...]])?.name == "Phone")
            #expect(book.phone(with: [Self.secret(2).text[...], "", "x"]) == nil)
        }
    }

    @Test("may be typed in small letters, with blanks, and with what looks alike")
    func typed() {
        var book = PhoneBook()
        _ = book.makeCode(at: Self.at(0)) { [UInt8](repeating: 0, count: $0) }
        #expect(redeem("oO0 o-o 00 o", in: &book) == .paired(name: "Phone"))
        _ = book.makeCode(at: Self.at(0)) { [UInt8](repeating: 1, count: $0) }
        #expect(redeem("iIlL1111", in: &book) == .paired(name: "Phone 2"))
    }

    @Test("are let in for two minutes, and not after a start of the machine")
    func time() {
        let good: [(UInt64, Bool)] = [
            (0, true), (119_999, true), (120_000, false), (9 << 40, false),
        ]
        for (milliseconds, isGood) in good {
            var book = PhoneBook()
            let code = book.makeCode(at: Self.at(0), random: randomBytes)
            let outcome = redeem(code.typed, in: &book, at: milliseconds)
            #expect((outcome == .paired(name: "Phone")) == isGood, "after \(milliseconds) ms")
        }
        var book = PhoneBook()
        let code = book.makeCode(at: Self.at(0), random: randomBytes)
        let early = Arrival(bootMilliseconds: 3, wallMilliseconds: 1_772_355_600_000)
        #expect(book.redeem(code.scanned, for: Self.secret(1), at: early) == .wrong)
        let second = book.makeCode(at: Self.at(0), random: randomBytes)
        #expect(redeem(code.scanned, in: &book) == .wrong)
        #expect(redeem(second.scanned, in: &book) == .paired(name: "Phone"))
    }

    @Test("are not guessed: five wrong codes end the typing for a minute, and the code for ever")
    func guesses() {
        var book = PhoneBook()
        let code = book.makeCode(at: Self.at(0), random: randomBytes)
        for _ in 0..<5 { #expect(redeem("00000000", in: &book, at: 10) == .wrong) }
        #expect(redeem(code.typed, in: &book, at: 10) == .tooMany)
        #expect(redeem(code.typed, in: &book, at: 59_000) == .tooMany)
        let before = book
        for _ in 0..<1_000 { #expect(redeem("00000000", in: &book, at: 59_000) == .tooMany) }
        #expect(book == before, "A flood is nothing to write down.")
        #expect(redeem(code.typed, in: &book, at: 60_010) == .wrong, "It is dead.")
        let other = book.makeCode(at: Self.at(60_010), random: randomBytes)
        #expect(redeem(other.typed, in: &book, at: 60_010) == .paired(name: "Phone"))
    }

    @Test("are let in by scanning, whatever a stranger guesses meanwhile")
    func flood() {
        var book = PhoneBook()
        let code = book.makeCode(at: Self.at(0), random: randomBytes)
        for millisecond in 0..<100_000 as Range<UInt64> where millisecond % 100 == 0 {
            _ = redeem("00000000", in: &book, at: millisecond)
            _ = redeem(Self.secret(99).text, in: &book, at: millisecond)
        }
        #expect(redeem(code.typed, in: &book, at: 100_000) != .paired(name: "Phone"))
        #expect(redeem(code.scanned, in: &book, at: 100_000) == .paired(name: "Phone"))
    }

    @Test("that nobody made a code for are not counted, so that its owner can type the next one")
    func nothingToGuess() {
        var book = PhoneBook()
        for _ in 0..<1_000 { #expect(redeem("00000000", in: &book) == .wrong) }
        let code = book.makeCode(at: Self.at(0), random: randomBytes)
        #expect(redeem(code.typed, in: &book) == .paired(name: "Phone"))
    }

    @Test("are 32 at most, each with a name of its own")
    func room() {
        var book = PhoneBook()
        for number in 1...32 {
            let code = book.makeCode(at: Self.at(0), random: randomBytes)
            let name = number == 1 ? "Phone" : "Phone \(number)"
            #expect(redeem(code.scanned, in: &book) == .paired(name: name))
        }
        let code = book.makeCode(at: Self.at(0), random: randomBytes)
        #expect(redeem(code.scanned, in: &book) == .full)
    }

    // MARK: - The file

    @Test("stand in a file that only its owner can read, without a secret, and come back from it")
    func file() throws {
        let file = PhoneFile(inStore: folder.path)
        #expect(try file.book() == PhoneBook())
        let code = try file.change {
            $0.makeCode(for: .watch, at: Self.at(0), random: randomBytes)
        }
        let other = PhoneFile(inStore: folder.path)
        #expect(
            try other.change { $0.redeem(code.typed, for: Self.secret(1), at: Self.at(1)) }
                == .paired(name: "Phone"))
        _ = try other.change { book in
            book.listen(at: "http://10.0.0.5:1")
            _ = book.add("Sensor", .push, Self.secret(2), at: Self.at(2))
            book.phones[0].seenAtMilliseconds = 7
            return book.makeCode(at: Self.at(3), random: randomBytes)
        }
        #expect(try file.book() == other.book())
        #expect(try file.book().phones.map(\.name) == ["Phone", "Sensor"])
        #expect(try file.book().phones.map(\.kind.right) == ["watch", nil])
        #expect(file.admitted.phone(with: [Self.secret(2).text[...]])?.kind == .push)
        let path = folder.path + "/phones"
        #expect(try permissions(of: path) == 0o600)
        let text = try String(contentsOfFile: path, encoding: .utf8)
        for secret in [code.typed, code.scanned, Self.secret(1).text, Self.secret(2).text] {
            #expect(!text.contains(secret))
        }
        #expect(try names(in: folder.path) == ["phones", "phones.lock"])
    }

    @Test("let nobody in by a file that others can read, that is damaged, or is a link")
    func refused() throws {
        let file = PhoneFile(inStore: folder.path)
        try file.change { _ = $0.add("Phone", .all, Self.secret(1), at: Self.at(0)) }
        let secrets = [Self.secret(1).text[...]]
        var isAdmitted: Bool {
            file.look()
            return file.admitted.phone(with: secrets) != nil
        }
        #expect(isAdmitted)
        let path = folder.path + "/phones"
        let good = try Data(contentsOf: URL(filePath: path))
        func put(_ data: Data, mode: Int = 0o600) throws {
            try FileManager.default.removeItem(atPath: path)
            _ = FileManager.default.createFile(
                atPath: path, contents: data, attributes: [.posixPermissions: mode])
        }
        try put(good, mode: 0o640)
        #expect(throws: CommandFailure.self) { try file.book() }
        #expect(!isAdmitted)
        let damaged = [#"{"version":2,"phones":[]}"#, #"{"version":1,"phones":[{}]}"#]
        for text in ["", "{}", "[]"] + damaged {
            try put(Data(text.utf8))
            #expect(throws: CommandFailure.self) { try file.change { _ in } }
            #expect(!isAdmitted, "\(text)")
        }
        // From before there was a choice, they may do all.
        let old = #"{"name":"Old","kind":"page","pairedAtMilliseconds":1,"secretDigest":"x"}"#
        try put(Data(#"{"version":1,"phones":[\#(old)]}"#.utf8))
        #expect(try file.book().phones.map(\.kind.right) == ["all"])
        try put(good)
        #expect(isAdmitted)
        try FileManager.default.moveItem(atPath: path, toPath: path + ".other")
        try FileManager.default.createSymbolicLink(
            atPath: path, withDestinationPath: path + ".other")
        #expect(!isAdmitted)
    }

    @Test("are changed in turn: of many who come with one code at once, one is let in")
    func inTurn() async throws {
        let code = try PhoneFile(inStore: folder.path).change {
            $0.makeCode(at: Self.at(0), random: randomBytes)
        }
        let outcomes = await withTaskGroup(of: PhoneBook.Redemption?.self) { group in
            for seed in 1...16 {
                group.addTask {
                    try? PhoneFile(inStore: folder.path).change {
                        $0.redeem(code.scanned, for: Self.secret(UInt8(seed)), at: Self.at(1))
                    }
                }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(outcomes.count { $0 == .paired(name: "Phone") } == 1)
        #expect(outcomes.count { $0 == .wrong } == 15)
    }
}
