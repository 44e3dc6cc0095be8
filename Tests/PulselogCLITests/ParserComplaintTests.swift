import TestSupport
import Testing

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
    func suggesting(_ arguments: String, _ expected: String?) throws {
        let trial = CommandLineTrial(arguments.arguments)
        let complaint = try #require(trial.complaint)
        #expect(trial.status == 64)
        let suggestion = complaint.firstMatch(of: /Did you mean '(.*)'\?/)?.1
        #expect(suggestion.map(String.init) == expected, "\(complaint)")
    }

    private static let negative = "is negative; a number must be 0 or more"

    /// Arguments with a minus sign, what is said of them, and what is not.
    static let signs = [
        ("health -5", negative, "unit"), ("health 5 --until -5", negative, "unit"),
        ("steps --days -7", negative, "unit"), ("record --for -5s", negative, "unit"),
        ("replay x.log --zone -08:00", "`--zone=-08:00`", negative),
        ("steps --day -2026-03-01", "--day", negative),
        ("steps correct --by -500 --day 2026-03-01", "--reason", negative),
        ("sessions --longer 10", "a unit is missing; write 10km", negative),
        ("record --for 45", "a unit is missing; write 45m", negative),
        ("record --goal distance=5", "a unit is missing; write distance=5km", negative),
    ]

    @Test("is told what is wrong with a number, an offset or a distance", arguments: signs)
    func numbers(_ arguments: String, _ words: String, _ others: String) throws {
        let trial = CommandLineTrial(arguments.arguments)
        let complaint = try #require(trial.complaint)
        #expect(trial.status == 64)
        #expect(complaint.contains(words) && !complaint.contains(others), "\(complaint)")
    }

    @Test("is told as JSON where JSON is wanted")
    func json() async throws {
        let bench = Workbench()
        for (arguments, status, code) in [
            (["sesions", "--json"], 64, "usage"),
            (["sessions", "show", "9", "--json"], 66, "noInput"),
            (["status", "--store", "", "--json"], 64, "usage"),
        ] {
            let end = try await bench.start(arguments).end
            #expect(end.status == status && end.output.isEmpty)
            let error = try Line(end.messages).object("error")
            #expect(try error.text("code") == code)
            #expect(try error.text("message").contains(/[.?]$/))
        }
    }

    @Test("has the options of the command that a group stands for in the group's help")
    func groupHelp() async throws {
        for arguments in [["steps", "--help"], ["help", "steps"]] {
            try await Workbench().expect(
                arguments, says: "correct", "--days <days>",
                "`pulselog steps` is `pulselog steps show`")
        }
        #expect(defaultHelp(["--help"], of: Pulselog.self) == nil)
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
