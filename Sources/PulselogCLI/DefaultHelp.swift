internal import ArgumentParser

/// What the help of a group of commands says besides: the options of the command that it stands
/// for when none is named.
///
/// - Parameters:
///   - arguments: Those of the command line, without the program's name.
///   - root: The command that they were given to.
/// - Returns: The lines, each with its end; nil unless help is asked for of such a group.
func defaultHelp(_ arguments: [String], of root: any ParsableCommand.Type) -> String? {
    let asksForHelp: Set<String> = ["help", "--help", "-h"]
    guard arguments.contains(where: asksForHelp.contains) else { return nil }
    var (command, names) = (root, [root._commandName])
    for argument in arguments where !asksForHelp.contains(argument) {
        guard
            let next = command.configuration.subcommands.first(where: {
                $0._commandName == argument
            })
        else { return nil }
        command = next
        names.append(argument)
    }
    guard let usual = command.configuration.defaultSubcommand else { return nil }
    let help = root.helpMessage(for: usual)
    guard let usage = help.firstRange(of: "USAGE:") else { return nil }
    let name = names.joined(separator: " ")
    return
        "Without a subcommand, `\(name)` is `\(name) \(usual._commandName)`:\n\n"
        + help[usage.lowerBound...] + "\n"
}
