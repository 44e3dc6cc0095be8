import Foundation
import TestSupport
import Testing

@Suite("A recording without a terminal", .timeLimit(.minutes(5)))
struct PlainOutputTests {
    let bench: Workbench

    init() throws {
        bench = try Workbench()
    }

    @Test("is told in sentences with their times, and ends with the totals")
    func sentences() async throws {
        let record = try bench.start(["record", "--simulate"])
        try await record.line { $0.hasSuffix("  The walk begins.") }
        _ = try await bench.output("mark", "bridge")
        try await record.line { $0.hasSuffix("  Marked: bridge") }
        _ = try await bench.output("stop")
        let end = await record.end
        #expect(end.status == 0, "\(end.messages)")
        #expect(end.messages.isEmpty)
        let lines = end.lines
        let first = try #require(lines.firstIndex { $0.hasPrefix("Session ") })
        for line in lines[..<first] {
            #expect(line.wholeMatch(of: /\d\d:\d\d:\d\d  .*\./) != nil || line.contains("Marked"))
        }
        #expect(lines.last?.hasPrefix("sha256:") == true)
    }

    @Test("says in the same way that there was no session")
    func noSession() async throws {
        let record = try bench.start(["record", "--wait-for-strap"])
        try await record.line { $0.contains("Is dbus running?") }
        record.signal(SIGINT)
        let end = await record.end
        #expect(end.status == 0)
        #expect(end.messages.isEmpty, "\(end.messages)")
        #expect(end.lines.last?.hasSuffix("  No session was started.") == true)
    }

    @Test("is told in one way only")
    func oneWay() async throws {
        let end = try await bench.run("record", "--simulate", "--events", "--json")
        #expect(end.status == 64)
        #expect(end.messages.contains("--events and --json exclude each other"))
    }
}
