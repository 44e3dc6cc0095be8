import Foundation
import TestSupport
import Testing
import Text

/// A device's name is data from a stranger: whatever a command writes, it is one harmless piece
/// of a line, and in JSON it is what the stranger said.
@Suite("Hostile names")
struct HostileNameTests {
    let bench = Workbench()

    @Test("are harmless in what every command writes, and whole in JSON and in the log")
    func commands() async throws {
        let devices = HostileNames.all.enumerated().map { index, name in
            let number = String(index + 16, radix: 16).uppercased()
            return [
                "id": "d\(index)", "name": name, "address": "C4:00:00:00:00:\(number)",
                "services": ["hr", "battery"],
            ]
        }
        let scenario = try JSONSerialization.data(withJSONObject: ["devices": devices])
        // The name stands in a D-Bus string, which holds no NUL.
        let text = String(decoding: scenario, as: UTF8.self).replacing("\\u0000", with: "")
        let names = HostileNames.all.map { $0.replacing("\u{0}", with: "") }
        try await bench.playing(scenario: text) { strap in
            let scan = try await bench.run("scan", "--seconds", "1", variables: strap.variables)
            #expect(scan.lines.count == 1 + names.count)
            expectHarmless(scan.text)
            #expect(scan.lines.allSatisfy { columns(of: $0) < 80 })
            let json = try await bench.run(
                "scan", "--seconds", "1", "--json", variables: strap.variables)
            #expect(Set(try json.lines.map { try Line($0).text("name") }) == Set(names))
            expectHarmless(json.text)
            for index in [0, 2, 7, 8] {
                let address = "C4:00:00:00:00:\(String(index + 16, radix: 16).uppercased())"
                let pair = try await bench.expect(
                    "devices", "pair", address, variables: strap.variables)
                expectHarmless(pair.text)
            }
            let record = try await bench.expect("record", "--for", "1s", variables: strap.variables)
            expectHarmless(record.text)
            expectHarmless(record.messages)
            for command in ["devices", "status", "doctor", "sessions", "sessions show", "log cat"] {
                for json in [[], ["--json"]] {
                    let arguments = command.split(separator: " ").map(String.init) + json
                    let end = try await bench.expect(arguments, variables: strap.variables)
                    expectHarmless(end.text)
                    expectHarmless(end.messages)
                    for line in end.lines where !json.isEmpty { _ = try Line(line) }
                }
            }
            let list = try await bench.run("devices", "--json")
            let paired = try list.lines.map { try Line($0).text("name") }
            #expect(paired == [0, 2, 7, 8].map { names[$0] })
        }
    }

    private func expectHarmless(_ text: String) {
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            #expect(HostileNames.isHarmless(String(line)) || line.hasPrefix("{"), "\(line)")
            #expect(line.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x9B })
        }
    }
}
