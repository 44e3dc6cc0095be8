import Clocks
import Events
import Foundation
import Projections
import TamperEvidence
import TestSupport
import Testing

@testable import Web

@Suite("The overlay", .timeLimit(.minutes(2)))
struct OverlayTests {
    private static let entrances: [Entrance] = [.loopback, .network(host: "127.0.0.1")]
    private static let link = AccessToken(random: [UInt8](repeating: 9, count: 32)).text
    private let folder = TemporaryDirectory.ofTest()

    /// Serves with a link that is good, next to a phone.
    private func serving(
        at entrance: Entrance, _ body: (Bench, PhoneFile) async throws -> Void
    ) async throws {
        let file = PhoneFile(inStore: folder.path)
        try file.change { book in
            for (kind, text) in [(Phone.Kind.all, Self.phone), (.overlay, Self.link)] {
                _ = book.add("\(kind)", kind, try #require(AccessToken(text[...])), at: .now())
            }
        }
        try await Bench.serving(phones: file, entrance: entrance) { try await body($0, file) }
    }
    private static let phone = AccessToken(random: [UInt8](repeating: 8, count: 32)).text

    private func get(_ path: String, _ bench: Bench, _ fields: String = "") async throws -> Reply {
        try await bench.send(
            Array("GET \(path) HTTP/1.1\r\nHost: 127.0.0.1\r\n\(fields)\r\n".utf8))
    }

    @Test("is one document that asks for nothing but its stream, and is kept nowhere")
    func document() async throws {
        try await serving(at: .loopback) { bench, _ in
            let reply = try await get("/overlay/\(Self.link)?size=l", bench)
            #expect(reply.status == 200 && reply.has("Cache-Control: no-store"))
            #expect(reply.has("Referrer-Policy: no-referrer") && !reply.text.contains("ETag"))
            let text = reply.body
            let whole = #/<style>([\s\S]+)</style>\n<script type="module">([\s\S]+)</script>/#
            let parts = try #require(text.firstMatch(of: whole))
            let hashes = [parts.1, parts.2].map {
                Data(FileDigest(Array($0.utf8)).bytes).base64EncodedString()
            }
            let allowed = "style-src 'sha256-\(hashes[0])'; script-src 'sha256-\(hashes[1])'; base"
            #expect(reply.text.contains(": default-src 'none'; connect-src 'self'; \(allowed)"))
            #expect(text.contains("id=\"i-heart\"") && text.ranges(of: "</script").count == 1)
            for word in ["<link", "src=", "url(", "@import", "<a ", "<button", "aria-live"] {
                #expect(!text[parts.range.upperBound...].contains(word) && !parts.1.contains(word))
            }
        }
    }

    @Test("has a link that opens nothing else, whichever way it is sent", arguments: entrances)
    func nothingElse(_ entrance: Entrance) async throws {
        // Every path of the API, as the table of routes has them.
        let routes = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../Sources/Web/Server/HTTPRoute+Paths.swift")
        let table = try String(contentsOf: routes, encoding: .utf8)
            .matches(of: #/case \("(\w+)", (_|"\w+"), (_|"\w+"), ([\d.]+)\)/#)
        var paths = table.filter { $0.1 != "overlay" && $0.1 != "pair" }.map { row in
            let length = Int("\(row.4.suffix(1))") ?? 1
            let parts = ["\(row.1)", "\(row.2)", "\(row.3)"].prefix(length)
            return ([""] + parts).joined(separator: "/").replacing("\"", with: "")
                .replacing("days/_", with: "days/2026-03-01").replacing("_", with: "0")
        }
        #expect(paths.count > 25 && paths.contains("/sessions/0/file"), "\(paths)")
        let link = Self.link
        paths = paths.map { "/api\($0)" } + ["/health", "/metrics", "/tiles/1/1/1"]
        paths += paths.map { "\($0)?token=\(link)" } + ["/api/sessions/0/file?format=fit"]
        paths += ["/api/positions/\(link)", "/overlay/\(link)/x", "/api/overlay/\(link)/x"]
        let login = Data("x:\(link)".utf8).base64EncodedString()
        try await serving(at: entrance) { bench, _ in
            for path in paths {
                for (method, scheme) in [("GET", "Bearer \(link)"), ("POST", "Basic \(login)")] {
                    let body = "Content-Type: application/json\r\nContent-Length: 2\r\n\r\n{}"
                    let reply = try await bench.send(
                        Array(
                            ("\(method) \(path) HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: "
                                + "\(scheme)\r\nCookie: pulselog-80=\(link)\r\n"
                                + (method == "GET" ? "\r\n" : body)).utf8))
                    let isRefused = [401, 403, 404, 405].contains(reply.status)
                    #expect(isRefused || reply.status == 422, "\(path): \(reply.text)")
                }
            }
            let entered = try await get("/?token=\(link)", bench)
            #expect(!entered.text.contains("Set-Cookie"))
        }
    }

    @Test("is for its own link, and for who may see the walk anyway", arguments: entrances)
    func visitors(_ entrance: Entrance) async throws {
        try await serving(at: entrance) { bench, _ in
            let own = entrance == .loopback ? bench.token.text : Self.phone
            for (path, cookie, status) in [
                (Self.link, "", 200), (Self.link, "x", 200), ("", own, 200), ("", "", 401),
                (String(Self.link.reversed()), "", 401), ("x", own, 401),
                ("", entrance == .loopback ? Self.phone : bench.token.text, 401),
                (bench.metricsToken.text, "", 401),
            ] {
                let field = "Cookie: pulselog-80=\(cookie)\r\n"
                let reply = try await get("/overlay/\(path)", bench, field)
                #expect(reply.status == status, "\(path) with \(cookie): \(reply.text)")
            }
            let foreign = "Sec-Fetch-Site: cross-site\r\n"
            #expect(try await get("/overlay/\(Self.link)", bench, foreign).status == 403)
        }
    }

    @Test("gets what it draws and no more, until its link is revoked", arguments: entrances)
    func stream(_ entrance: Entrance) async throws {
        try await serving(at: entrance) { bench, file in
            let fix = PositionFixed(
                latitudeE7: 481_234_567, longitudeE7: 115_678_901, accuracyMillimetres: 3_000)
            try await bench.record([
                .start(), .record(.linkUp(LinkUp(device: Story.strap))),
                .record(.notified(Story.strap, [0, 96])), .record(.positionFixed(fix)),
            ])
            let connection = try Peer.Connection(to: bench.listener.port)
            let path = "GET /api/overlay/\(Self.link) HTTP/1.1\r\nHost: 127.0.0.1\r\n"
            connection.send(Array("\(path)Last-Event-ID: 0\r\n\r\n".utf8))
            var heard = ""
            while !heard.contains("\"96\"") {
                let part = await connection.receive()
                try #require(!part.isEmpty, "\(heard)")
                heard += String(decoding: part, as: UTF8.self)
            }
            #expect(!heard.contains("event: log") && !heard.contains("event: track"))
            let line = try #require(heard.split(separator: "data: ").last).prefix { $0 != "\n" }
            let scene = try JSONSerialization.jsonObject(with: Data(line.utf8))
            let fields = try #require(scene as? [String: [String: Any]])
            #expect(Set(fields.keys) == ["pulse", "figures"])
            #expect(fields["figures"]?.keys.sorted() == ["time"])
            for word in ["48", "115", "\(Story.strap)", "C4:00", "Strap"] {
                #expect(!line.contains(word), "\(line)")
            }
            _ = try file.change { $0.phones.removeLast() }
            try await bench.record([.record(.notified(Story.strap, [0, 155]))])
            var rest = ""
            while case let part = await connection.receive(), !part.isEmpty {
                rest += String(decoding: part, as: UTF8.self)
            }
            #expect(!rest.contains("155"))
            #expect(try await get("/api/overlay/\(Self.link)", bench).status == 401)
        }
    }
}
