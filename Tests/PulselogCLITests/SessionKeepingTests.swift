import Foundation
import TestSupport
import Testing

/// What a walker says of walks, and how they are found again.
@Suite("pulselog sessions")
struct SessionKeepingTests {
    let bench = Workbench()

    private static let walk = ReplayCase("ordinary-walk").capture
    private static let head =
        "Position  Date       Start  Name                       km   Active   Steps  BPM\n"
    private static let row =
        "      17  Sun  1 Mar 10:00  %                        0.16     2:00     219  109\n"
    private static let rule = String(repeating: "─", count: 78) + "\n"

    private func said(_ arguments: String...) async throws -> String {
        try await bench.expect(arguments).text
    }

    private func list(_ options: [String] = []) async throws -> String {
        try await bench.start(["sessions"] + options, ["LC_ALL": "C.UTF-8"]).end.text
    }

    @Test("names, tags, hides and finds a walk, each by an event")
    func keeping() async throws {
        _ = try await said("import", Self.walk)
        let unnamed = Self.row.replacing("%", with: " ")
        let sums = " 1 walk                     " + unnamed.dropFirst(28)
        #expect(try await list() == Self.head + unnamed + Self.rule + sums)
        #expect(
            try await said("sessions", "name", "last", "Loop\u{1B}")
                == "Named Loop\\u{1b}.\n")
        #expect(try await said("sessions", "name", "17", "Loop") == "Named Loop.\n")
        #expect(
            try await said("sessions", "tag", "last", "dog", "wet") == "Tags: dog, wet.\n")
        #expect(
            try await said("sessions", "tag", "last", "wet", "--remove") == "Tags: dog.\n")
        #expect(try await said("sessions", "place", "last", "Park") == "Place: Park.\n")
        #expect(try await said("sessions", "note", "last", "muddy") == "Noted.\n")
        #expect(try await said("sessions", "sport", "last", "hike") == "A hike.\n")
        let named = Self.row.replacing("%   ", with: "Loop")
        let found = Self.head + named + Self.rule + sums
        for filter in [
            ["--tag", "DOG"], ["--sport", "hike"], ["--place", "par"], ["--name", "oo"],
            ["--day", "2026-03-01"], ["--week", "2026-02-23"], ["--month", "2026-03"],
            ["--from", "2026-03-01", "--until", "2026-03-01"], ["--longer", "160m"],
            ["--shorter", "1km"], ["--source", "walked"], ["--last", "3"],
        ] {
            #expect(try await list(filter) == found, "\(filter)")
        }
        for (filter, words) in [
            (["--tag", "cat"], "No walk has the tag cat; the tags are dog.\n"),
            (
                ["--tag", "dog", "--sport", "run"],
                "No walk matches; `pulselog sessions` lists all.\n"
            ),
            (["--longer", "1km"], "No walk matches; `pulselog sessions` lists all.\n"),
            (["--source", "imported"], "No walk matches; `pulselog sessions` lists all.\n"),
            (["--from", "2027-01-01"], "No walk matches: the last one began on 2026-03-01.\n"),
            (["--until", "2026-02-01"], "No walk matches: the first one began on 2026-03-01.\n"),
        ] {
            #expect(try await list(filter) == words)
        }
        #expect(try await said("sessions", "hide", "last").hasPrefix("Hidden;"))
        #expect(
            try await list()
                == "The only walk that matches is hidden; --hidden shows it.\n")
        let hidden = try await list(["--hidden"])
        #expect(hidden.contains("109 hidden\n") && hidden.contains("\n 0 walks "), "\(hidden)")
        try await bench.expect(
            "export", "--day", "2026-03-01", "--format", "gpx", "--out", bench.folder + "/walks",
            status: 66, says: "Left out: 1 hidden walk.")
        #expect(try await said("sessions", "hide", "last", "--undo") == "Listed again.\n")
        #expect(try await list(["--hidden"]) == found)
        let shown = try await said("sessions", "show", "last")
        for line in [
            "  Name       Loop", "  Sport      hike", "  Tags       dog", "  Note       muddy",
        ] {
            #expect(shown.contains(line + "\n"), "\(line)")
        }
        let json = try Line(await said("sessions", "--json"))
        #expect(try json.text("name") == "Loop" && json.text("sport") == "hike")
        try await bench.expect("log", "verify")
    }

    @Test("the last walk is the first of a list, and of those to be listed again the last hidden")
    func last() async throws {
        _ = try await said("import", ReplayCase("midnight").capture)
        _ = try await said("import", Self.walk)
        func last() async throws -> Substring {
            try await said("sessions", "show", "last").prefix { $0 != "," }
        }
        let rows = try await list().split(separator: "\n")
        let (late, early) = (try await last(), "Session \(rows[2].split(separator: " ")[0])")
        #expect(rows[1].contains(" 23:59 ") && late != early, "\(rows)")
        _ = try await said("sessions", "hide", "last")
        #expect(try await last() == early)
        #expect(try await said("sessions", "hide", "last", "--undo") == "Listed again.\n")
        #expect(try await last() == late)
    }

    @Test("JSON has the order and the figures of the text")
    func json() async throws {
        _ = try await said("import", ReplayCase("midnight").capture)
        _ = try await said("import", Self.walk)
        let positions = try await bench.objects("sessions").map { try $0.integer("position") }
        let longest = try await bench.objects("sessions", "--longest", "2").map {
            try $0.integer("position")
        }
        #expect(positions.count == 2 && longest == positions.reversed())
        let eight = try await bench.text("steps", "--weeks", "8")
        #expect(try await bench.text("steps", "--weeks") == eight)
        let months = try await bench.run("steps", "--months", "--year", "2026", "--json").lines
        let march = try Line(#require(months.last))
        #expect(try march.integer("walks") == 2 && march.integer("distanceMillimetres") > 240_000)
        let trend = try Line(await said("trends", "--span", "all", "--json"))
        let rows = try trend.objects("rows")
        // Its months end yesterday, those of steps today: on the first of a month it has one fewer.
        let known = try months.drop { try !$0.contains(#require(rows.first).text("from")) }
        #expect(rows.count == known.count + 1 && known.count > months.count - 2)
        #expect(rows.last?.flag("isSum") == true)
        #expect(try rows.last?.integer("amount") == march.integer("steps"))
        let profile = try await said("profile", "--json")
        #expect(profile.contains(#""zoneStarts":["100.00","140.00","180.00"]"#), "\(profile)")
    }

    @Test("an export has what was said of its walk, and an anonymous one that it was hidden")
    func exported() async throws {
        _ = try await said("import", Self.walk)
        _ = try await said("sessions", "name", "last", "Loop")
        _ = try await said("sessions", "hide", "last")
        for more in [[], ["--anonymous"]] {
            let path = "\(bench.folder)/walk\(more.count).jsonl"
            try await bench.expect(["export", "last", "--out", path] + more)
            let walk = try Line(await said("replay", path, "--json")).objects("sessions")[0]
            #expect(try walk.text("name") == (more.isEmpty ? "Loop" : "removed"))
            #expect(walk.flag("hidden"))
            let other = "\(bench.folder)/other\(more.count)"
            _ = try await said("import", path, "--store", other)
            let again = try Line(
                await said("sessions", "--hidden", "--json", "--store", other))
            #expect(try again.text("name") == (more.isEmpty ? "Loop" : "removed"))
        }
    }

    @Test("refuses what it cannot mean")
    func refused() async throws {
        _ = try await said("import", Self.walk)
        try await bench.expectComplaints([
            ("sessions --day soon", 64, "soon is not a date"),
            ("sessions --month 2026", 64, "2026 is not a month"),
            ("sessions --last 0", 64, "--last must be from 1"),
            ("records --year 26", 64, "--year must be from 1000"),
            ("steps --months --year 26", 64, "--year must be from 1000"),
            ("records --year 2030", 66, "Nothing was recorded in 2030; the log has 2026."),
            ("sessions --from 2026-03-02 --until 2026-03-01", 64, "--from is after --until"),
            ("sessions --day 2026-03-01 --month 2026-04", 64, "no day in common"),
            ("sessions --longer far", 64, "far"), ("sessions --sport sail", 64, "sail"),
            ("sessions name 4 Loop", 66, "no such session"),
            ("sessions name later Loop", 64, "neither a position nor"),
            ("sessions tag last", 64, "tag"), ("steps --weeks 0", 64, "--weeks must be"),
            ("steps --weeks 2 --months", 64, "Choose one"), ("steps --year 2026", 64, "--year"),
            ("steps --weeks 2 --days 3", 64, "without days"),
            ("steps --weeks=abc", 64, "--weeks must be"),
        ])
    }

    @Test("sums of weeks, months and a year are those of the days")
    func spans() async throws {
        let total = try await said("health", "9000", "--day", "2026-02-28")
        #expect(total == "2026-02-28: 9,000 steps.\n")
        _ = try await said("health", "4000", "--day", "2026-03-02")
        let lines = try await bench.objects("steps", "--weeks", "5300")
        #expect(try lines.reduce(0) { $0 + (try $1.integer("steps")) } == 13_000)
        let months = try await bench.run("steps", "--months", "--year", "2026", "--json").lines
        #expect(try months.reduce(0) { $0 + (try Line($1).integer("steps")) } == 13_000)
        let days = try await bench.run("steps", "--calendar", "--year", "2026", "--json").lines
        #expect(try days.map { try Line($0).integer("steps") } == [9_000, 4_000])
        let goalless = try await bench.run("steps", "--missed", "--year", "2026").text
        #expect(goalless.contains("There is no daily goal"))
        _ = try await said("profile", "set", "daily-goal=8000")
        let list = try await bench.run("steps", "--missed", "--year", "2026").lines
        #expect(
            list == [
                "Day            Steps  Short by", "Mon  2 Mar     4,000     4,000",
                String(repeating: "-", count: 30),
                "Fewer than today's goal of 8,000 steps on 1 of 2 days with steps in 2026.",
            ])
        let missed = try await bench.run("steps", "--missed", "--year", "2026", "--json").lines
        #expect(try missed.map { try Line($0).integer("steps") } == [4_000])
        let plain = try await bench.start(
            ["steps", "--calendar", "--year", "2026"], ["LC_ALL": "C"]
        ).end.text
        #expect(plain.utf8.allSatisfy { $0 < 0x80 } && plain.contains(" Sat  ????????#"))
    }
}
