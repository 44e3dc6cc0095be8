internal import ArgumentParser
internal import Glibc
internal import LookingBack
internal import Projections
internal import Sensors
internal import Stores
internal import Terminal
internal import Text
internal import Words

/// `pulselog bug`: what whoever mends a bug needs to know.
struct Bug: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "bug",
        abstract: "Show what a bug report needs, and write it to a file.",
        discussion: """
            Shows the versions, what `pulselog doctor` finds, the last walk as `export last \
            --anonymous` writes it, and what happened to recorder and straps in the last hour of \
            the log. Names, addresses, positions and the dates of walks are replaced or left out; \
            heart rate, steps, height, weight and times of day stay. Nothing is sent anywhere. \
            With --out it asks in a terminal, after it was shown, whether to write that.
            """)

    @Option(help: ArgumentHelp("The file to write.", valueName: "file"))
    var out: String?

    @OptionGroup var common: CommonOptions

    func run() async throws {
        let directory = try common.storeDirectory()
        // It looks at the store as well, which a process opens once.
        let found = await Doctor.found(in: directory).map { $0.text(isColored: false) }.joined()
        let store = try common.open(.reading)
        var text = Array(
            """
            Pulselog \(Version.text)
            \(Self.system)

            # What `pulselog doctor` finds

            \(clean(found, of: try store.state()))
            # The last walk, without what shows whose it is


            """.utf8)
        text += try store.lastWalkForBugReport() ?? Array("There is no walk.\n".utf8)
        text += Array("\n# Recorder and straps in the last hour of the log\n\n".utf8)
        text += try store.lastHourForBugReport()
        Output.standard.write(text)
        guard let out else { return }
        if Output.standard.isTerminal, isatty(STDIN_FILENO) == 1 {
            Output.standardError.write("\nWrite this to \(printable(out, limit: .max))? [y/N] ")
            guard ["y", "yes"].contains(readLine()?.lowercased()) else {
                return Output.standardError.say("Nothing was written.")
            }
        }
        try OutputFile.write(text, to: out, besides: directory)
        Output.standardError.say("Written to \(printable(out, limit: .max)).")
    }

    /// What the program runs on, as far as the system says.
    private static var system: String {
        func line(_ path: String, after prefix: String = "") -> String {
            FilePlace.line(of: path, after: prefix) ?? "unknown"
        }
        let name = line("/etc/os-release", after: "PRETTY_NAME=").filter { $0 != "\"" }
        return "\(line("/proc/sys/kernel/ostype")) \(line("/proc/sys/kernel/osrelease")), \(name)"
    }

    /// Takes names and addresses out of what was found.
    private func clean(_ found: String, of state: LogState) -> String {
        var text = found
        let names = state.own.devices.all.compactMap(\.name).filter { !$0.isEmpty }
        for name in names.sorted(by: { $0.count > $1.count }) {
            text = text.replacing(shownName(name), with: "STRAP")
        }
        text = text.replacing(#/([0-9A-F]{2}:){5}[0-9A-F]{2}/#, with: "00:00:00:00:00:00")
        if let home = environment("HOME"), home.count > 1 { text = text.replacing(home, with: "~") }
        return text
    }
}
