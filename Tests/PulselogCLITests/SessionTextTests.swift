import Testing

/// What `sessions show` says of the link, for people.
@Suite("A session's text")
struct SessionTextTests {
    let bench = Workbench()

    static let cases: [(name: String, lines: [String])] = [
        (
            "drops",
            [
                "  Signal     measured 2:00, silent 0:01, held 0:29, disconnected 0:23",
                "  Link       up 2:01 in 5 spans, connected in 0.5 s (at most 4.1 s), 1 failed",
                "             4 drops (1 unknown, 2 timeout, 1 by the strap), longest gap 30.0 s",
                "  Energy     left out: by the heart rate it needs birth year and sex",
                "             next walk: pulselog profile set birth-year=1980 sex=female",
            ]
        ),
        (
            "doubled-delivery",
            [
                "  Left out   66 copies",
                "  Link       up 1:51 in 2 spans, connected in 0.5 s",
                "             1 drop (1 timeout), longest gap 7.0 s",
                "             Every value came twice for 1:04: another program is subscribed;",
                "             each was counted once.",
            ]
        ),
        (
            "ordinary-walk",
            [
                "  Link       up 2:35 in 1 span, connected in 0.5 s",
                "             The RR intervals fill 55.72 % of the clock: beats are missing.",
                "  Steps      219; 226 that day when it ended", "  Pace       12:17 /km",
            ]
        ),
        (
            "wide-values",
            [
                "  Maximum    300 BPM (position 18), supported by another value",
                "  Left out   5 not credible (no reading)", "  Zones      resting ",
                "  HRV        RMSSD ",
            ]
        ),
        ("mute-strap", ["  Distance   nothing measured it"]),
    ]

    @Test("S13: tells the link within 80 columns", arguments: cases)
    func link(_ vector: (name: String, lines: [String])) async throws {
        try await bench.load(vector.name)
        let output = try await bench.output("sessions", "show")
        let lines = String(decoding: output, as: UTF8.self).split(separator: "\n").map(String.init)
        for line in vector.lines {
            // What ends with a space goes on with figures.
            let fits = { (shown: String) in
                line.hasSuffix(" ") ? shown.hasPrefix(line) : shown == line
            }
            #expect(lines.contains(where: fits), "\(lines)")
        }
        for line in lines { #expect(line.count <= 80, "\(line)") }
    }
}
