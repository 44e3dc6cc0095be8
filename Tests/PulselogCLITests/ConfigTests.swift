import Foundation
import TestSupport
import Testing

@testable import PulselogCLI

@Suite("The configuration file")
struct ConfigTests {
    @Test("holds settings of TOML, each on a line, with tables and comments")
    func text() throws {
        let text = try ConfigurationText(
            """
            # Every walk.
            [record] # as of here
            goal = "steps=6000"\r
            \twhenever-worn=true
            for = '45m'

            [ serve ]
            port = 8367
            """)
        #expect(
            text.settings.map { "\($0.line) \($0.table) \($0.key) \($0.values)" } == [
                #"3 record goal [\#(value("text", "\"steps=6000\""))]"#,
                #"4 record whenever-worn [\#(value("flag", "true"))]"#,
                #"5 record for [\#(value("text", "\"45m\""))]"#,
                #"8 serve port [\#(value("text", "\"8367\""))]"#,
            ])
    }

    private func value(_ kind: String, _ content: String) -> String {
        "PulselogCLI.ConfigurationText.Value.\(kind)(\(content))"
    }

    @Test(
        "names the line of what is wrong",
        arguments: [
            ("goal", 1), ("[record\ngoal = 1", 1), ("a = 1\na = 2", 2), ("\nb = 1 2", 2),
            ("b = \"x", 1), ("b = \"\\x\"", 1), ("b = [1, 2", 1), ("b = 1.5", 1), ("b =", 1),
            ("= 1", 1), ("b = {c = 1}", 1), ("[a.b]", 1), ("b = 2026-03-01", 1),
            ("\"b\" = 1", 1), ("[]", 1),
        ])
    func wrong(text: String, line: Int) {
        #expect { try ConfigurationText(text) } throws: {
            ($0 as? ConfigurationText.Complaint)?.line == line
        }
    }

    @Test("reads lists, escapes and nothing at all")
    func values() throws {
        let text = try ConfigurationText("a = [ 1, \"b \\\"c\\\" \\\\ \\t\", true, ]\nd = []")
        #expect(
            text.settings.map(\.values) == [
                [.text("1"), .text("b \"c\" \\ \t"), .flag(true)], [],
            ])
        #expect(try ConfigurationText("\n \n# only this").settings.isEmpty)
    }

    /// A workbench whose home has a configuration file.
    private func bench(_ text: String) throws -> Workbench {
        let bench = Workbench()
        try bench.file(".config/pulselog/config.toml", text)
        return bench
    }

    @Test("gives a command its options; the command line wins")
    func options() async throws {
        let bench = try bench("[record]\nsimulate = true\nfor = \"1s\"\njson = true")
        let here = bench.folder + "/here"
        try await bench.expect("record", "--store", here)
        #expect(FileManager.default.fileExists(atPath: here))
        let shown = try await bench.run("config", "show", "--origin").text
        let lines = shown.split(separator: "\n")
        #expect(lines.contains { $0.contains("record   for") && $0.contains("1s") })
        #expect(lines.contains { $0.contains("serve    port") && $0.contains("8367") })
        #expect(lines.filter { $0.contains("/config.toml") }.count == 3)
        let store = lines.first { $0.contains("record   store") }
        #expect(
            store?.contains(bench.store.prefix(40)) == true
                && store?.contains("PULSELOG_STORE") == true)
        // What fails, fails as the file wants it, and what nobody typed is explained.
        let failed = try await bench.run("record", "--store", here, "--replay", "x")
        #expect(failed.messages.hasPrefix(#"{"error":"#))
        #expect(failed.messages.contains("/config.toml"))
        // For other commands it is as if there were none.
        #expect(try await bench.run("sessions", "--store", here).text.contains("~ simulated"))
    }

    @Test("is refused with its line and what was meant")
    func refused() async throws {
        let record = ["record", "--simulate", "--for", "1s"]
        let complaints = [
            (
                "[record]\ngaol = \"daily\"",
                "line 2: `record` has no option gaol. Did you mean goal?"
            ),
            ("goal = \"daily\"", "line 1: goal must stand below one of [record], [serve], [mqtt]"),
            ("[recrod]\ngoal = \"daily\"", "line 2: goal must stand below one of"),
            ("[record]\ngoal = \"long\"", "below [record]: "),
            ("[on]\nstop = \"true\"", "line 2: [on] takes start, pause, finish, goal"),
            ("[on]\nstart = true", "line 2: [on] takes start"),
            ("[record]\nhelp = true", "line 2: `record` has no option help."),
            ("[record]\nserve = \"yes\"", "line 2: serve is true or false."),
            ("[record]\ngoal = false", "line 2: goal takes a text or a number."),
            ("[record]\nfor = [\"1s\", \"2s\"]", "line 2: for has one value."),
            ("[record]\nstore = \"here\"", "line 2: every command needs the store"),
        ]
        for (text, sentence) in complaints {
            try await bench(text).expect(record, status: 78, says: sentence)
        }
        // Phones are no matter of the file; nor is help.
        let bench = try bench("[record]\ngaol = 1")
        #expect(try await bench.text("profile", "set", "birth-year=1980") == "Birth year    1980\n")
        try await bench.expect("serve", "devices")
        try await bench.expect("record", "--help", says: "s finishes", "l ends a lap", "--port")
        try await bench.expect(record, variables: ["PULSELOG_CONFIG": "/dev/null"])
    }

    @Test("with commands is refused where others can write it, or what leads to it")
    func exposed() async throws {
        let bench = try bench("[on]\nstart = 'true'")
        let (home, folder) = (bench.folder, bench.folder + "/.config/pulselog")
        #expect(symlink(folder + "/config.toml", home + "/link") == 0)
        for (place, mode, status) in [
            (home, 0o755, 0), (folder + "/config.toml", 0o664, 77), (folder, 0o1777, 0),
            (folder, 0o775, 77), (home + "/.config", 0o757, 77), (home, 0o775, 77),
        ] as [(String, mode_t, Int32)] {
            #expect(chmod(place, mode) == 0)
            try await bench.expect(
                "config", "show", status: status, says: status == 0 ? "record" : "go-w '\(place)'",
                variables: ["PULSELOG_CONFIG": home + "/link"])
            #expect(chmod(place, 0o755) == 0)
        }
    }

    @Test("must be there if it is named, and be text")
    func named() async throws {
        let bench = Workbench()
        let path = bench.folder + "/other.toml"
        for words in [path, "is not text in UTF-8"] {
            let end = try await bench.run(
                "record", "--simulate", "--for", "1s", variables: ["PULSELOG_CONFIG": path])
            #expect(end.status != 0 && end.messages.contains(words), "\(end.messages)")
            _ = try bench.file("other.toml", [0xE9])
        }
    }

    @Test("says where everything is kept")
    func paths() async throws {
        let bench = Workbench()
        let text = try await bench.run("paths").text
        #expect(text.contains("Configuration         \(bench.folder)/.config/pulselog/config.toml"))
        #expect(text.contains("Log                   \(bench.store)"))
        #expect(text.contains("Keys and checkpoints  \(bench.folder)/.local/state/pulselog"))
    }
}
