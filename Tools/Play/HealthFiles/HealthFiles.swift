import ArgumentParser
import Events

/// The command line.
@main
struct HealthFiles: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "HealthFiles",
        abstract: "Writes files of health stores, made up: the same seed gives the same file.",
        discussion: """
            The steps are those of one walker, as a phone, a watch and an application that copies \
            the phone count them. With --totals the right totals are written beside, found by \
            adding up minutes and not by the rule under test.
            """,
        subcommands: [Apple.self, Gadgetbridge.self])

    /// What both kinds of file need.
    struct Options: ParsableArguments {
        @Argument(help: "The file to write.")
        var file: String

        @Option(help: "The last date.")
        var until = "2026-03-01"

        @Option(help: "How many days, up to the last date.")
        var days = 30

        @Option(help: "Where the randomness begins.")
        var seed: UInt64 = 1

        @Option(help: "A file for the right totals, as lines of date and steps.")
        var totals: String?

        /// The last date.
        func lastDate() throws -> CivilDate {
            guard let date = CivilDate(until) else {
                throw ValidationError("\(until) is not a date; write it as 2026-03-01.")
            }
            return date
        }

        /// Writes the right totals, if they are wanted.
        func writeTotals(_ totals: [CivilDate: Int64]) throws {
            guard let path = self.totals else { return }
            var file = try OutputFile(path)
            for (date, steps) in totals.sorted(by: { $0.key < $1.key }) where steps > 0 {
                try file.write("\(date) \(steps)\n")
            }
            try file.close()
        }
    }

    /// An export of Apple Health.
    struct Apple: ParsableCommand {
        static let configuration = CommandConfiguration(abstract: "An export.xml of Apple Health.")

        @OptionGroup var options: Options

        @Option(help: "As many days as make a file of this size, instead of --days.")
        var megabytes: Int?

        func run() throws {
            let last = try options.lastDate()
            var writer = try AppleExportWriter(options.file)
            var walker = Walker(seed: options.seed)
            var totals: [CivilDate: Int64] = [:]
            var count = 0
            while megabytes.map({ writer.byteCount < $0 * 1_000_000 }) ?? (count < options.days) {
                guard let date = CivilDate(daysSinceEpoch: last.daysSinceEpoch - Int64(count)),
                    date.components.year >= 2000
                else { break }
                let day = walker.day(date)
                totals[date] = day.total
                try writer.write(day, &walker.generator)
                count += 1
            }
            try writer.close()
            try options.writeTotals(totals)
        }
    }

    /// A database of Gadgetbridge.
    struct Gadgetbridge: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "A database of Gadgetbridge, with a row for each minute and device.")

        @OptionGroup var options: Options

        func run() throws {
            let last = try options.lastDate()
            let writer = try GadgetbridgeWriter(options.file)
            var walker = Walker(seed: options.seed)
            var totals: [CivilDate: Int64] = [:]
            for count in 0..<options.days {
                let number = last.daysSinceEpoch - Int64(count)
                guard let date = CivilDate(daysSinceEpoch: number) else { break }
                let day = walker.day(date)
                totals[date] = day.total
                try writer.write(day)
            }
            try writer.close()
            try options.writeTotals(totals)
        }
    }
}
