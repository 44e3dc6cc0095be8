import Foundation
import TestSelection
import TestSupport
import Testing

@testable import Words

/// What `Tools/package` packs with the program, made from the program that the tests run.
@Suite("The package", .timeLimit(.minutes(5)))
struct PackageTests {
    private static let root = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    private static let material = root.appending(path: "Tools/Package")
    private let bench = Workbench()

    /// Runs a program of the system; nil if there is no such one.
    private func tool(_ name: String, _ arguments: String...) async throws -> RunningProgram.End? {
        let folders = ["/usr/bin/", "/bin/", "/usr/sbin/"]
        guard let path = folders.map({ $0 + name }).first(where: { access($0, X_OK) == 0 })
        else { return nil }
        let variables = ["XDG_RUNTIME_DIR": bench.folder, "SOURCE_DATE_EPOCH": "0"]
        return try await RunningProgram(
            path, arguments, environment: bench.environment(variables)
        ).end
    }

    private func helpTree() async throws -> (bytes: [UInt8], root: HelpTree.Command) {
        let bytes = try await bench.output("--experimental-dump-help")
        return (bytes, try JSONDecoder().decode(HelpTree.self, from: Data(bytes)).command)
    }

    @Test("has a page of the manual for each command, with all that the help says and no more")
    func manual() async throws {
        let (bytes, root) = try await helpTree()
        let help = try bench.file("help.json", bytes)
        let folder = bench.folder + "/manual"
        let script = Self.material.appending(path: "make-manual").path
        guard let made = try await tool("python3", script, help, folder) else { return }
        #expect(made.status == 0, "\(made.messages)")
        let names = try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
        let commands = (root.subcommands ?? []).filter { $0.commandName != "help" }
        #expect(commands.count > 15)
        let pages = commands.map { "pulselog-\($0.commandName).1" } + ["pulselog.1"]
        #expect(names == pages.sorted())
        for name in names {
            guard let lint = try await tool("mandoc", "-T", "lint", "\(folder)/\(name)") else {
                break
            }
            // Pages that are not installed are not found.
            let complaints = lint.lines.filter { !$0.contains("referenced manual not found") }
            #expect(complaints.isEmpty, "\(complaints)")
        }
        for command in commands {
            let page = "\(folder)/pulselog-\(command.commandName).1"
            guard let shown = try await tool("mandoc", "-T", "utf8", "-O", "width=900", page)
            else { return }
            let text = shown.text.replacing(/.\u{8}/, with: "").words
            for described in command.texts {
                #expect(text.contains(described.words), "\(page): \(described)")
            }
        }
    }

    @Test("completes every command and option", arguments: sample(["bash", "zsh", "fish"]))
    func completions(_ shell: String) async throws {
        let script = try await bench.output("--generate-completion-script", shell)
        let text = String(decoding: script, as: UTF8.self)
        for name in try await helpTree().root.names { #expect(text.contains(name), "\(name)") }
        let file = try bench.file("completion", script)
        let checked = try await tool(shell, shell == "fish" ? "--no-execute" : "-n", file)
        #expect(checked?.status ?? 0 == 0, "\(checked?.messages ?? "")")
    }

    @Test("has units that systemd accepts, and confines them")
    func units() async throws {
        let folder = bench.folder + "/units"
        let files = FileManager.default
        for service in ["pulselog", "pulselog-record"] {
            let place = "\(folder)/\(service).service.d"
            try files.createDirectory(atPath: place, withIntermediateDirectories: true)
            try files.copyItem(
                at: Self.material.appending(path: "systemd/confinement.conf"),
                to: URL(filePath: "\(place)/confinement.conf"))
        }
        let names = ["pulselog.service", "pulselog.socket", "pulselog-record.service"]
        for name in names {
            let unit = try String(
                contentsOf: Self.material.appending(path: "systemd/\(name)"), encoding: .utf8)
            // It has to be there, and is not installed here.
            try unit.replacing(
                "/usr/bin/pulselog", with: RunningProgram.pulselog
            )
            .replacing(/Documentation=.*/, with: "")
            .write(toFile: "\(folder)/\(name)", atomically: false, encoding: .utf8)
        }
        for name in names {
            guard
                let verified = try await tool(
                    "systemd-analyze", "--user", "--man=no", "verify", "\(folder)/\(name)")
            else { return }
            #expect(verified.status == 0 && verified.messages.isEmpty, "\(verified.messages)")
        }
        for name in names where name.hasSuffix(".service") {
            let judged = try await tool(
                "systemd-analyze", "security", "--offline=yes", "--threshold=19", "--no-pager",
                "\(folder)/\(name)")
            // Its exit code tells whether the exposure is above 1.9.
            #expect(judged?.status == 0, "\(judged?.lines.last ?? "")")
        }
    }

    @Test("gives the first version of its changelog, which is the program's")
    func version() throws {
        func text(_ name: String) throws -> String {
            try String(contentsOf: Self.material.appending(path: name), encoding: .utf8)
        }
        #expect(try text("changelog").hasPrefix("pulselog (\(Version.text)) "))
        #expect(
            try text("local.pulselog.Pulselog.metainfo.xml")
                .contains(#"<release version="\#(Version.text)""#))
    }

    @Test("names the licence of each Swift package, and each library of the system")
    func licences() throws {
        let copyright = try String(
            contentsOf: Self.material.appending(path: "copyright"), encoding: .utf8)
        let resolved = try String(
            contentsOf: Self.root.appending(path: "Package.resolved"), encoding: .utf8)
        let packages = resolved.matches(of: /"identity" : "([^"]+)"/).map(\.1)
        #expect(packages.count >= 2)
        for name in packages { #expect(copyright.contains(name), "\(name)") }
        let manifest = try String(
            contentsOf: Self.root.appending(path: "Package.swift"), encoding: .utf8)
        // What stands after this is not in the program. liblmdb-dev brings liblmdb0, and so on.
        let program = manifest.prefix(
            upTo: try #require(manifest.range(of: "if everything")).lowerBound)
        for name in program.matches(of: /\.apt\(\["(\w+)-dev"/).map(\.1) {
            let library = name.hasPrefix("lib") ? String(name.prefix(7)) : String(name)
            #expect(copyright.contains(library), "\(name)")
        }
    }
}

/// What `--experimental-dump-help` prints.
private struct HelpTree: Decodable {
    struct Argument: Decodable {
        struct Name: Decodable {
            let kind: String
            let name: String
        }

        let abstract: String?
        let discussion: String?
        let names: [Name]?
        let shouldDisplay: Bool
    }

    struct Command: Decodable {
        let commandName: String
        let abstract: String
        let discussion: String?
        let arguments: [Argument]?
        let subcommands: [Command]?

        /// All sentences and options, also of its subcommands.
        var texts: [String] {
            let own = (arguments ?? []).filter(\.shouldDisplay).flatMap { argument in
                [argument.abstract, argument.discussion].compactMap(\.self)
                    + (argument.names ?? []).map { ($0.kind == "long" ? "--" : "-") + $0.name }
            }
            let below = (subcommands ?? []).filter { $0.commandName != "help" }.flatMap(\.texts)
            return [abstract, discussion].compactMap(\.self) + own + below
        }

        /// The names of commands and of options.
        var names: [String] {
            let own = (arguments ?? []).filter(\.shouldDisplay).flatMap { $0.names ?? [] }
            return own.map(\.name) + (subcommands ?? []).flatMap { [$0.commandName] + $0.names }
        }
    }

    let command: Command
}

extension String {
    /// The text without spaces and quotation marks, which a page of the manual has elsewhere.
    fileprivate var words: String {
        String(filter { !$0.isWhitespace && !"`‘’'".contains($0) })
    }
}
