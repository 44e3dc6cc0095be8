import Foundation
import TestSupport
import Testing

@Suite("A recording without a terminal", .timeLimit(.minutes(5)))
struct PlainOutputTests {
    let bench = Workbench()

    @Test("is told in sentences with their times, and ends with the totals")
    func sentences() async throws {
        let record = try bench.start(["record", "--simulate"])
        try await record.line { $0.hasSuffix("  The walk begins.") }
        _ = try await bench.output("mark", "bridge")
        try await record.line { $0.hasSuffix("  Marked: bridge") }
        let end = try await bench.stop(record)
        #expect(end.messages.isEmpty)
        let lines = end.lines
        let first = try #require(lines.firstIndex { $0.hasPrefix("Session ") })
        for line in lines[..<first] {
            #expect(line.wholeMatch(of: /\d\d:\d\d:\d\d  .*\./) != nil || line.contains("Marked"))
        }
        #expect(lines.last?.hasPrefix("sha256:") == true)
    }
}
