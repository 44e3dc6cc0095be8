import Foundation
import QRCodes
import TestSupport
import Testing

@Suite("A QR code")
struct QRCodeTests {
    private static let link =
        "http://192.168.100.100:8367/#pair=AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8"

    private static let reader = "/usr/bin/zbarimg"

    /// What another program reads in a picture of black and white.
    private func read(_ dark: [[Bool]]) async throws -> String {
        let folder = try TemporaryDirectory()
        // Each module is as wide as four dots of a picture (PBM).
        let rows = dark.flatMap { row in
            let line = row.map { String(repeating: $0 ? "1 " : "0 ", count: 4) }.joined()
            return [String](repeating: line, count: 4)
        }
        let size = "\(4 * dark[0].count) \(4 * dark.count)"
        let picture = "P1\n\(size)\n\(rows.joined(separator: "\n"))\n"
        try Data(picture.utf8).write(to: URL(filePath: folder.path + "/code.pbm"))
        let end = try await RunningProgram(
            Self.reader, ["--quiet", "--raw", folder.path + "/code.pbm"], environment: [:]
        ).end
        return String(decoding: end.output, as: UTF8.self)
    }

    @Test(
        "is read by another program, in a terminal of both kinds and as a path",
        .enabled(if: FileManager.default.isExecutableFile(atPath: reader), "not tested: no zbarimg")
    )
    func read() async throws {
        let code = try #require(QRCode(Self.link))
        for isColored in [true, false] {
            let lines = code.lines(isColored: isColored)
            var dark: [[Bool]] = []
            for line in lines {
                let marks = line.filter { "█▀▄ ".contains($0) }
                dark.append(marks.map { "█▀".contains($0) == isColored })
                dark.append(marks.map { "█▄".contains($0) == isColored })
            }
            let text = try await read(dark)
            #expect(text == Self.link + "\n")
        }
        var dark = [[Bool]](
            repeating: [Bool](repeating: false, count: code.side + 8), count: code.side + 8)
        for run in code.path.matches(of: /M(\d+) (\d+)h(\d+)v1h-\d+z/) {
            let (column, row) = (try #require(Int(run.1)), try #require(Int(run.2)))
            for index in 0..<(try #require(Int(run.3))) { dark[row + 4][column + 4 + index] = true }
        }
        let text = try await read(dark)
        #expect(text == Self.link + "\n")
    }

    @Test("fits a terminal of 24 lines with its sentence, and is none of a text that is too long")
    func sizes() throws {
        #expect(try #require(QRCode(Self.link)).lines(isColored: true).count <= 21)
        #expect(QRCode(String(repeating: "x", count: 4_000)) == nil)
    }
}
