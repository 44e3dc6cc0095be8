import Testing

/// The page lays out what the server sends: no number, time, sentence, preset or role is made in
/// JavaScript.
@Suite("The page's files")
struct PageWordsTests {
    static let scripts = SourceTree.files(below: "Sources/CPage/site", ending: ".js")

    /// What makes a number or a time, with what it would be for.
    private static let makers = [
        "Intl.", "toFixed", "toLocale", "toPrecision", "toISOString", "padStart", "getTimezone",
        "new Date", "Date.parse", "getHours", "getUTC", "setHours", "parseFloat",
        // Bytes, and numbers that a rule of the recorder's is made of.
        "toString(16)", "50_000", "parseInt(pair",
        // Figures, with their units.
        "} km", "} kcal", "} BPM", "} steps", "} %`", "} ms`", "/km`",
    ]

    @Test("make no number and no time")
    func numbers() {
        for script in Self.scripts {
            let found = Self.makers.filter { script.text.contains($0) }
            #expect(found == [], "\(script.path)")
        }
    }

    @Test("know no preset, no role and no kind of event but those that change what is paired")
    func tables() {
        let all = Self.scripts.map(\.text).joined()
        for name in [
            "2_000_000", "10_000]", "6_000,", "footPod", "stepCounter", "accuracyMillimetres",
            "positionFixed", "characteristicNotified", "sessionMarked", "healthTotal",
        ] {
            #expect(!all.contains(name), "\(name)")
        }
    }

    @Test("compose no sentence: what has something between its words comes from the server")
    func sentences() throws {
        // A template that ends like a sentence.
        let template = #/`[^`\n]*\$\{[^`\n]*[a-z)}][.?]`/#
        for script in Self.scripts {
            let found = script.text.matches(of: template).map { String($0.output) }
            #expect(found == [], "\(script.path)")
        }
    }
}
