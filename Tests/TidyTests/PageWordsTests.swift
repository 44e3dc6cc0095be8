import Foundation
import Testing

/// The page lays out what the server sends: no number, time, sentence, preset or role is made in
/// JavaScript.
@Suite("The page's files")
struct PageWordsTests {
    struct Script: CustomTestStringConvertible, Sendable {
        let path: String
        let text: String

        var testDescription: String { path }
    }

    static let scripts: [Script] = {
        let site = SourceTree.root.appending(path: "Sources/CPage/site")
        do {
            return try FileManager.default.subpathsOfDirectory(atPath: site.path)
                .filter { $0.hasSuffix(".js") }.sorted()
                .map {
                    let file = site.appending(path: $0)
                    return Script(path: $0, text: try String(contentsOf: file, encoding: .utf8))
                }
        } catch {
            fatalError("The page cannot be read: \(error)")
        }
    }()

    /// What makes a number or a time, with what it would be for.
    private static let makers = [
        "Intl.", "toFixed", "toLocale", "toPrecision", "toISOString", "padStart", "getTimezone",
        "new Date", "Date.parse", "getHours", "getUTC", "setHours", "parseFloat",
        // Bytes, and numbers that a rule of the recorder's is made of.
        "toString(16)", "50_000", "parseInt(pair",
        // Figures, with their units.
        "} km", "} kcal", "} BPM", "} steps", "} %`", "} ms`", "/km`",
    ]

    @Test("make no number and no time", arguments: scripts)
    func numbers(_ script: Script) {
        for maker in Self.makers {
            #expect(!script.text.contains(maker), "\(script.path) has \(maker)")
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

    @Test("are fewer than 5,150 lines without comments and blanks")
    func size() {
        var count = 0
        for script in Self.scripts {
            var isComment = false
            for line in script.text.split(separator: "\n") {
                let text = line.trimmingCharacters(in: .whitespaces)
                if text.isEmpty || text.hasPrefix("//") { continue }
                if text.hasPrefix("/*") { isComment = true }
                if !isComment { count += 1 }
                if text.hasSuffix("*/") { isComment = false }
            }
        }
        #expect(count > 2_000 && count < 5_150, "\(count)")
    }
}
