import Foundation
import TestSupport
import Testing

@testable import Clocks

/// The system takes UTC without a word where it has no data of a zone.
@Suite("Zone data")
struct ZoneDataTests {
    let directory = TemporaryDirectory.ofTest()

    init() throws {
        try Data("TZif2 and so on".utf8)
            .write(to: URL(filePath: directory.path + "/Known"))
        try Data("nothing".utf8).write(to: URL(filePath: directory.path + "/Broken"))
        #expect(mkdir(directory.path + "/Europe", 0o700) == 0)
    }

    private func unknown(_ variable: String?, machine: String = "none") -> String? {
        LocalZone.unknownName(
            variable: variable, folder: directory.path,
            machineFile: "\(directory.path)/\(machine)")
    }

    @Test(
        "is there, or not needed",
        arguments: [
            nil, "", ":", "Known", ":Known", "UTC", "Etc/UTC", "GMT0", "CET-1CEST", "UTC0",
            "<+03>-3", "<-0330>3:30", "EST5EDT,M3.2.0,M11.1.0", "XYZ+24", ":CET-1",
        ])
    func known(_ variable: String?) {
        #expect(unknown(variable) == nil)
    }

    @Test("is not needed where a link names UTC, and is missing where it names another zone")
    func linked() throws {
        for (name, isKnown) in [("Etc/UTC", true), ("UTC", true), ("Europe/Berlin", false)] {
            let link = "\(directory.path)/localtime"
            unlink(link)
            #expect(symlink("\(directory.path)/zoneinfo/\(name)", link) == 0)
            #expect((unknown(nil, machine: "localtime") == nil) == isKnown, "\(name)")
        }
    }

    @Test(
        "is missing",
        arguments: [
            "Europe/Berlin", ":Europe/Berlin", "Europe", "Broken", "Nowhere/Nope", "/none", "CET",
            "XYZ-99", "XYZ", "12",
        ])
    func missing(_ variable: String) {
        let name = variable.hasPrefix(":") ? String(variable.dropFirst()) : variable
        #expect(unknown(variable) == name)
        #expect(unknown("\(directory.path)/Known") == nil)
    }

    @Test("of the machine's own zone is looked for behind its link")
    func machine() throws {
        #expect(unknown(nil, machine: "Known") == nil)
        #expect(symlink("/none/zoneinfo/Asia/Tokyo", directory.path + "/localtime") == 0)
        #expect(unknown(nil, machine: "localtime") == "Asia/Tokyo")
        #expect(unknown(nil, machine: "Broken") == directory.path + "/Broken")
    }
}
