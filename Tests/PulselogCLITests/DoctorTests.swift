import Clocks
import Foundation
import Sensors
import TestSelection
import TestSupport
import Testing
import Words

@testable import PulselogCLI

/// It says what is missing and what to do, whatever is missing, and changes nothing.
@Suite("pulselog doctor")
struct DoctorTests {
    let bench = Workbench()

    /// What hangs on the machine that runs the tests.
    private static let hostChecks: Set = ["disk", "clock"]

    /// Runs it, and gives the result of each check by name, and which problems are not the host's.
    private func examine(
        _ variables: [String: String] = [:]
    ) async throws -> (status: Int32, found: [String: Line], problems: Set<String>) {
        let end = try await bench.run("doctor", "--json", variables: variables)
        var found: [String: Line] = [:]
        for line in try end.lines.map({ try Line($0) }) {
            found[try line.text("check")] = line
            let isGood = try line.text("result") == "ok"
            #expect((line.fields["advice"] as? String == nil) == isGood, "\(line)")
        }
        let all = Set(try found.filter { try $0.value.text("result") == "problem" }.keys)
        #expect((end.status == 0) == all.isEmpty, "\(end.text)")
        return (end.status, found, all.subtracting(Self.hostChecks))
    }

    @Test("names the bus that is missing, and makes no store")
    func noBus() async throws {
        let (status, found, _) = try await examine()
        #expect(status == 69)
        #expect(try found["bus"]?.text("result") == "problem")
        #expect(try found["bus"]?.text("message").contains("no-bus") == true)
        #expect(found["bluez"] == nil)
        #expect(try found["store"]?.text("result") == "ok")
        #expect(try found["zone"]?.text("message").contains("UTC+00:00") == true)
        #expect(!FileManager.default.fileExists(atPath: bench.store))
    }

    @Test("names what of Bluetooth is missing")
    func bluetooth() async throws {
        for (trouble, check, words) in [
            (#"{"power":false}"#, "adapter", "switched off"),
            (#"{"daemon":"kill"}"#, "bluez", "is not running"),
        ] {
            try await bench.playing(scenario: #"{"play":[\#(trouble)]}"#) { strap in
                try await strap.waitForEnd()
                let (status, found, _) = try await examine(strap.variables)
                #expect(status == 69)
                #expect(try found["bus"]?.text("result") == "ok")
                #expect(try found[check]?.text("message").contains(words) == true)
            }
        }
    }

    @Test("finds the strap in range, and after a recording says that all is well")
    func good() async throws {
        try await bench.playing("--capture", ReplayCase("one-minute").capture) { strap in
            let before = try await examine(strap.variables)
            #expect(before.problems.isEmpty)
            #expect(try before.found["strap"]?.text("result") == "warning")
            #expect(try before.found["signature"]?.text("message").contains("nothing yet") == true)
            let record = try bench.start(["record", "--json"], strap.variables)
            try await record.waitForHeartRates(1)
            let during = try await examine(strap.variables)
            #expect(try during.found["strap"]?.text("message") == "Strap One is connected.")
            let recorder = try during.found["recorder"]?.text("message")
            #expect(recorder == "A recorder is running on this store.")
            #expect(try during.found["otherPrograms"]?.text("result") == "ok")
            record.signal(SIGTERM)
            _ = await record.end
            let after = try await examine(strap.variables)
            #expect(after.problems.isEmpty)
            #expect(try after.found["strap"]?.text("message") == "Strap One is in range.")
            #expect(try after.found["recorder"]?.text("result") == "warning")
            #expect(try after.found["store"]?.text("message").contains("is sound") == true)
            #expect(try after.found["signature"]?.text("message").contains("are signed") == true)
        }
    }

    @Test("names another program that holds the strap", .slow)
    func otherProgram() async throws {
        try await bench.playing("--capture", ReplayCase("one-minute").capture) { strap in
            let variables = strap.variables
            try await bench.expect(
                "devices", "pair", "C4:00:00:00:00:01", variables: variables)
            let other = try bench.start(
                ["record", "--json", "--store", bench.folder + "/other"], variables)
            try await other.waitForHeartRates(1)
            let (_, found, problems) = try await examine(variables)
            #expect(problems.isEmpty)
            #expect(try found["otherPrograms"]?.text("result") == "warning")
            #expect(try found["otherPrograms"]?.text("message").contains("subscribed") == true)
            other.signal(SIGTERM)
            _ = await other.end
        }
    }

    @Test("names a store that is none, and one that is damaged, and tells nothing that it hides")
    func stores() async throws {
        try await bench.playing(scenario: #"{"play":[]}"#) { strap in
            let none = try await examine(strap.variables)
            #expect(try none.found["strap"]?.text("message") == "No strap is paired yet.")
            #expect(none.found["recorder"] != nil && none.found["otherPrograms"] != nil)
            for name in ["store", "store/data.mdb"] {
                _ = try bench.file(name, [UInt8](repeating: 7, count: 8_192))
                let (status, found, problems) = try await examine(strap.variables)
                #expect(status == 1 && problems == ["store"], "\(name)")
                #expect(try found["adapter"]?.text("result") == "ok")
                for check in ["strap", "recorder", "otherPrograms"] { #expect(found[check] == nil) }
                try FileManager.default.removeItem(atPath: bench.store)
            }
        }
    }

    @Test("tells people in lines of at most 80 columns")
    func lines() async throws {
        let end = try await bench.expect("doctor", status: 69)
        #expect(end.messages.isEmpty)
        let long = end.lines.filter { $0.count > 80 && $0.split(separator: " ").count > 1 }
        #expect(long.isEmpty)
        #expect(end.lines.first?.hasPrefix("problem  The system bus") == true)
    }

    // MARK: - What the machine of the tests does not have

    @Test("finds a radio switch that blocks Bluetooth, in the folder that the environment names")
    func radioSwitches() async throws {
        func block(_ number: Int, _ type: String, soft: String, hard: String) throws {
            for (name, text) in [("type", type), ("soft", soft), ("hard", hard)] {
                _ = try bench.file("rfkill\(number)/\(name)", "\(text)\n")
            }
        }
        func check() -> Diagnosis {
            let switches = RadioSwitches(in: bench.folder)
            return .radioSwitches(switches.count, switches.blocks)
        }
        try block(0, "wlan", soft: "1", hard: "1")
        try block(7, "bluetooth", soft: "0", hard: "0")
        #expect(check().result == .ok)
        #expect(RadioSwitches(in: bench.folder).block == nil)
        try block(9, "bluetooth", soft: "1", hard: "0")
        try FileManager.default.removeItem(atPath: bench.folder + "/rfkill9/hard")
        #expect(RadioSwitches(in: bench.folder).block == nil)
        #expect(check().result == .warning)
        #expect(check().message == "1 of 2 adapters are blocked.")
        #expect(check().advice?.contains("rfkill unblock") == true)
        try block(7, "bluetooth", soft: "0", hard: "1")
        #expect(check().result == .problem)
        #expect(check().advice?.contains("rfkill unblock") == true)
        try block(9, "bluetooth", soft: "1", hard: "1")
        #expect(check().result == .problem)
        #expect(check().advice?.contains("Switch the radio on") == true)
        #expect(try await examine().found["rfkill"]?.text("result") == "ok")
        let found = try await examine(["PULSELOG_RFKILL": bench.folder]).found["rfkill"]
        #expect(try found?.text("message") == "A hardware switch blocks Bluetooth.")
    }

    @Test("calls a clock before 2024 one that was never set")
    func clock() {
        let bound: Int64 = 1_704_067_200_000
        for (wallMilliseconds, isTrusted, result) in [
            (-1, true, .problem), (0, false, .problem), (bound - 1, true, .problem),
            (bound, false, .warning), (bound, true, .ok),
        ] as [(Int64, Bool, Diagnosis.Result)] {
            let now = Arrival(
                bootMilliseconds: 1, wallMilliseconds: wallMilliseconds, isWallTrusted: isTrusted)
            #expect(Diagnosis.clock(now).result == result, "\(wallMilliseconds)")
        }
    }
}
