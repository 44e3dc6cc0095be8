import Foundation
import TestSupport
import Testing

@Suite("Walks by HTTP beside a recorder", .timeLimit(.minutes(5)))
struct ServeTests {
    private let bench = Workbench()

    @Test("hears every event of another process once, also after the server began anew")
    func stream() async throws {
        let recorder = try bench.start(["record", "--simulate", "--json"])
        try await recorder.event("sessionStarted")
        let first = try await listen(after: 0) { $0.contains(#""kind":"characteristicNotified""#) }
        let last = try #require(first.positions.last)
        #expect(first.positions == Array(1...last))
        await recorder.finish()
        let second = try await listen(after: last) { $0.contains(#""kind":"recorderStopped""#) }
        let log = try await bench.run("log", "cat", "--json").lines
        #expect(first.lines + second.lines == Array(log.dropFirst()))
    }

    /// What a listener heard.
    private struct Heard {
        var lines: [String] = []
        var positions: [Int] = []
        var text = ""

        mutating func take(_ part: [UInt8]) {
            text += String(decoding: part, as: UTF8.self)
            let all = text.split(whereSeparator: \.isNewline)
            lines = all.compactMap {
                $0.hasPrefix(#"data: {"position":"#) ? String($0.dropFirst(6)) : nil
            }
            positions = lines.compactMap { Int($0.dropFirst(12).prefix { $0.isNumber }) }
        }
    }

    /// Serves until a listener has heard enough, at the end of a message.
    private func listen(
        after position: Int, until isEnough: (String) -> Bool
    ) async throws -> Heard {
        let page = try await ServedPage(bench)
        #expect(try await bench.object("serve", "--token").text("token") == page.token)
        let connection = try page.events("Last-Event-ID: \(position)\r\n")
        var heard = Heard()
        while !(heard.text.hasSuffix("\n\n\r\n") && isEnough(heard.text)) {
            let part = await connection.receive()
            try #require(!part.isEmpty, "\(heard.text)")
            heard.take(part)
        }
        await page.end()
        return heard
    }
}
