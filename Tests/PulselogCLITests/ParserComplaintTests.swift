import TestSupport
import Testing

@testable import Words

@testable import PulselogCLI
import Text

@Suite("A command that is not there")
struct ParserComplaintTests {
    /// Arguments, and the command that is suggested.
    static let slips: [(String, String?)] = [
        ("sesions", "sessions"), ("session show 4", "sessions"), ("reocrd", "record"),
        ("devices pari", "pair"), ("devices lists", "list"), ("log vrify", "verify"),
        ("audit explan", "explain"), ("stpes --days 7", "steps"), ("walk", nil), ("x", nil),
        ("log --store stats verfy", nil), ("--store stats log verify", nil),
    ]

    @Test("is told with the one that was probably meant", arguments: slips)
    func suggesting(_ arguments: String, _ expected: String?) async throws {
        let bench = try Workbench()
        let end = try await bench.start(arguments.split(separator: " ").map(String.init)).end
        #expect(end.status == 64)
        #expect(end.output.isEmpty)
        let suggestion = expected.map { "Did you mean '\($0)'?" }
        if let suggestion {
            #expect(end.messages.contains(suggestion), "\(end.messages)")
        } else {
            #expect(!end.messages.contains("Did you mean"), "\(end.messages)")
        }
    }

    @Test(
        "is told that a number is negative",
        arguments: [
            ["health", "-5"], ["health", "5", "--until", "-5"], ["steps", "--days", "-7"],
            ["record", "--for", "-5s"],
        ])
    func negative(_ arguments: [String]) async throws {
        let end = try await Workbench().start(arguments).end
        #expect(end.status == 64)
        #expect(end.messages.contains("is negative; a number must be 0 or more"), "\(end.messages)")
    }

    @Test("is told how an offset west of UTC is written, and not that a date is negative")
    func offset() async throws {
        let west = try await Workbench().start(["replay", "x.log", "--zone", "-08:00"]).end
        #expect(west.status == 64 && west.messages.contains("`--zone=-08:00`"), "\(west.messages)")
        let date = try await Workbench().start(["steps", "--day", "-2026-03-01"]).end
        #expect(date.status == 64 && !date.messages.contains("is negative"), "\(date.messages)")
    }

    @Test("is told what is missing beside a number that may be negative")
    func mayBeNegative() async throws {
        let end = try await Workbench().start(
            ["steps", "correct", "--by", "-500", "--day", "2026-03-01"]).end
        #expect(end.status == 64 && end.messages.contains("--reason"), "\(end.messages)")
        #expect(!end.messages.contains("is negative"), "\(end.messages)")
    }

    @Test(
        "is told as JSON where JSON is wanted",
        arguments: [
            (["sesions", "--json"], 64, "usage"),
            (["sessions", "show", "9", "--json"], 66, "noInput"),
            (["status", "--store", "", "--json"], 64, "usage"),
        ])
    func json(_ arguments: [String], _ status: Int32, _ code: String) async throws {
        let bench = try Workbench()
        let end = try await RunningProgram(
            RunningProgram.builtPrograms + "/pulselog", arguments, environment: bench.environment(),
            limitSeconds: 60
        ).end
        #expect(end.status == status && end.output.isEmpty)
        let error = try Line(end.messages).object("error")
        #expect(try error.text("code") == code)
        #expect(try error.text("message").hasSuffix(".") || error.text("message").hasSuffix("?"))
    }

    @Test("has the options of the command that a group stands for in the group's help")
    func groupHelp() async throws {
        let bench = try Workbench()
        for arguments in [["steps", "--help"], ["help", "steps"]] {
            let end = try await bench.start(arguments).end
            #expect(end.status == 0)
            #expect(end.text.contains("correct") && end.text.contains("--days <days>"))
            #expect(end.text.contains("`pulselog steps` is `pulselog steps show`"))
        }
        let whole = try await bench.start(["--help"]).end
        #expect(!whole.text.contains("Without a subcommand"))
    }

    @Test("keeps its lines, whatever the argument is", arguments: ["\n", "\r", "E\n"])
    func control(_ argument: String) {
        let usage = "Usage: pulselog <subcommand>"
        let complaint = ParserComplaint(
            "Error: Unexpected argument '\(argument)'\n\(usage)", [argument], Pulselog.self)
        let shown = printable(argument, limit: .max)
        #expect(complaint.text == "Error: Unexpected argument '\(shown)'\n\(usage)\n")
    }

    @Test("is one slip away: a letter too many, too few, wrong, or two that changed places")
    func distance() {
        func isOneSlip(_ left: String, _ right: String) -> Bool {
            ParserComplaint.isOneSlip(Array(left.utf8), Array(right.utf8))
        }
        for text in ["recor", "recordd", "rekord", "reocrd", "ecord", "recodr"] {
            #expect(isOneSlip(text, "record") && isOneSlip("record", text), "\(text)")
        }
        for text in ["", "reco", "drocer", "rokerd", "recordxx", "rcerod"] {
            #expect(!isOneSlip(text, "record") && !isOneSlip("record", text), "\(text)")
        }
    }
}
