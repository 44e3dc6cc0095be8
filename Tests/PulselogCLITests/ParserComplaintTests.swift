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
