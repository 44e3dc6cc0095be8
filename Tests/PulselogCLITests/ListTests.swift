import TestSupport
import Testing

/// Lists for people: a heading, then a line for each thing; and sentences that count right.
@Suite("Lists and figures for people")
struct ListTests {
    let bench = Workbench()

    /// A command, and what it writes of `Replays/late-health-total` and of `ordinary-walk`.
    static let lists: [(String, String, [String])] = [
        (
            "steps --day 2026-03-01 --days 2", "late-health-total",
            ["date        displayed  corrected", "2026-03-01      5,300      5,260"]
        ),
        (
            "devices", "ordinary-walk",
            [
                "address            name       kind                battery  drops",
                "C4:00:00:00:00:02  Footstep   pedometer, primary        ?      0",
                "C4:00:00:00:00:01  Strap One  strap, primary         87 %      0",
            ]
        ),
        (
            "log cat --from 17 --until 20", "late-health-total",
            [
                "  position  time      event", "2026-03-01 +01:00",
                "        17  10:02:30  reconciliation triggered: observer, healthTotal 4800, "
                    + "validUntilMilliseconds 1772355740000, 2026-03-01, offsetMinutes 60",
                "        18  10:03:00  1700 steps",
                "        19  10:03:00  reconciliation triggered: manual, 2026-03-01, "
                    + "offsetMinutes 60",
            ]
        ),
        (
            "audit steps --day 2026-03-01", "pedometer-restart",
            [
                "2026-03-01: 291 steps displayed, 291 corrected",
                "  position  time           steps  why", "2026-03-01 +01:00",
                "         3  10:00:00           0  Pulselog started. Nothing is recorded for this",
                "                                  day yet. The count starts at 0.",
                "        16  10:00:30         291  Pedometer. 291 steps in 3:00. Counted by",
                "                                  C4:00:00:00:00:02.",
            ]
        ),
        (
            "log cat --from 15 --until 17", "wide-values",
            [
                "  position  time      event", "2026-03-01 +01:00",
                "        15  10:00:00  72 BPM, contact",
                "        16  10:00:01  255 BPM, not credible (no reading), contact, "
                    + "RR 807 (1/1024 s)",
            ]
        ),
        (
            "log verify", "ordinary-walk",
            [
                "266 events in 1 block: sound",
                "Nothing is signed yet; that comes with the end of a session.",
            ]
        ),
    ]

    @Test("stand below a heading", arguments: lists)
    func headings(_ command: String, _ name: String, _ expected: [String]) async throws {
        try await bench.load(name)
        let arguments = command.arguments
        for zone in ["UTC", "Pacific/Kiritimati"] {
            let end = try await bench.start(arguments, ["TZ": zone]).end
            #expect(end.lines == expected, "\(end.text)\(end.messages)")
        }
    }
}
