internal import ArgumentParser
internal import JSON
internal import Stores
internal import Terminal
internal import Text

/// `pulselog config`.
struct ConfigCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "config", abstract: "Show what the configuration file sets.",
        discussion: """
            The file is $PULSELOG_CONFIG, else $XDG_CONFIG_HOME/pulselog/config.toml, else \
            ~/.config/pulselog/config.toml; PULSELOG_CONFIG=/dev/null reads none. Below [record] \
            and [serve] it takes their options, such as goal = "daily" or serve = true, \
            below [mqtt] the broker that is told of walks, and below [on] commands that run when \
            a walk starts, pauses, finishes or reaches its goal. The command line wins. A flag \
            that the file sets stays set.
            """,
        subcommands: [Show.self], defaultSubcommand: Show.self)

    /// `pulselog config show`.
    struct Show: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "show", abstract: "List the options of record and serve, and the broker.")

        @Flag(help: "Say also where each value comes from.")
        var origin = false

        @OptionGroup var common: CommonOptions

        func run() throws {
            let file = try ConfigurationFile()
            var table = TextTable(
                .words("Command"), .words("Option"), .words("Value"),
                .words(origin ? "From" : ""))
            func tell(_ command: String, _ option: String, _ value: String?, from: String) {
                guard common.json else {
                    return table.add(
                        command, option, printable(value ?? "", limit: 60),
                        origin ? printable(from, limit: .max) : "")
                }
                Output.standard.write { json in
                    json.field("command", command)
                    json.field("option", option)
                    json.field("value", value)
                    json.field("from", from)
                }
            }
            for command in ConfigurationFile.commands {
                for option in command.all {
                    if option.name == "store" {
                        let store = try common.storeDirectory()
                        tell(command.name, option.name, store, from: common.storeOrigin)
                    } else if let file, let set = file.value(of: option.name, for: command.name) {
                        tell(command.name, option.name, set, from: file.path)
                    } else {
                        tell(command.name, option.name, option.usual, from: "default")
                    }
                }
            }
            for occasion in WalkHooks.Occasion.allCases.map(\.rawValue) {
                let table = ConfigurationFile.hookTable
                guard let file, let set = file.value(of: occasion, for: table) else { continue }
                tell(table, occasion, set, from: file.path)
            }
            if !common.json { Output.standard.write(table.text) }
        }
    }
}

/// `pulselog paths`.
struct Paths: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "paths", abstract: "Say where everything is kept.")
    @OptionGroup var common: CommonOptions

    func run() throws {
        let paths: [(key: String, name: String, path: String?)] = [
            ("configuration", "Configuration", ConfigurationFile.usualPath),
            ("store", "Log", try common.storeDirectory()),
            ("keys", "Keys and checkpoints", Surroundings.stateFolder),
        ]
        common.write(
            paths.map {
                padded($0.name, to: 22) + printable($0.path ?? "nowhere", limit: .max) + "\n"
            }
            .joined()
        ) { json in
            for path in paths { json.field(path.key, path.path) }
        }
    }
}
