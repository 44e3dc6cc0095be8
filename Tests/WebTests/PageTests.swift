import Foundation
import NIOHTTP1
import TestSupport
import Testing

@testable import Web

@Suite("The page", .timeLimit(.minutes(5)))
struct PageTests {
    private static let site = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "Sources/CPage/site")

    private func get(_ path: String, _ bench: Bench, _ fields: String = "") async throws -> Reply {
        try await bench.send(
            Array("GET \(path) HTTP/1.1\r\nHost: 127.0.0.1:8367\r\n\(fields)\r\n".utf8))
    }

    @Test("has its brightest colour on dark for the maximum zone")
    func zones() throws {
        let tokens = try String(
            contentsOf: Self.site.appending(path: "css/tokens.css"), encoding: .utf8)
        /// The relative luminance of WCAG 2.2.
        func luminance(of color: Substring) throws -> Double {
            let number = try #require(UInt32(color, radix: 16))
            let parts = [16, 8, 0].map { shift in
                let part = Double(number >> UInt32(shift) & 255) / 255
                return part <= 0.040_45 ? part / 12.92 : pow((part + 0.055) / 1.055, 2.4)
            }
            return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]
        }
        let dark = try tokens.matches(of: /--zone-[1-4]: light-dark\(#\w+, #(\w+)\)/).map {
            try luminance(of: $0.1)
        }
        #expect(dark.count == 4 && dark == dark.sorted(), "\(dark)")
    }

    @Test("is all that stands in its folder; modules are joined after what they import, each once")
    func isWhole() throws {
        let names = try FileManager.default.subpathsOfDirectory(atPath: Self.site.path)
        let files = names.filter { $0.contains(".") }.map { "/" + $0 }.sorted()
        #expect(PageFile.embedded.keys.sorted() == files)
        for (path, modules) in [
            (
                "/app.js",
                files.filter { $0.hasSuffix(".js") && !["/overlay.js", "/pair.js"].contains($0) }
            ),
            ("/pair.js", ["/dom.js", "/pair.js", "/words.js"]),
        ] {
            let script = PageFile.script(path)
            let joined = script.matches(of: #/\nmodules\["(.+?)"\] = /#)
            #expect(joined.map { String($0.1) }.sorted() == modules)
            #expect(script.firstMatch(of: #/\n\s*(?:import|export)\b|import\(/#) == nil)
            for use in script.matches(of: #/const ([^;]+?) = modules\["(.+?)"\];/#) {
                let module = try #require(joined.first { $0.1 == use.2 })
                #expect(module.range.lowerBound < use.range.lowerBound, "imports go in a circle")
                let names = use.1.first == "{" ? use.1.matches(of: #/\w+/#).map(\.0) : []
                let exports = try #require(PageFile.source(of: String(use.2)))
                    .matches(of: #/\nexport (?:async )?\w+ (\w+)/#).map(\.1)
                #expect(Set(exports).isSuperset(of: names), "\(use.0)")
            }
        }
    }

    @Test("names each file by what is in it, and tells its type and what it may do")
    func names() async throws {
        let files = PageFile.embedded.keys.sorted() + LibraryFile.allCases.map(\.rawValue)
        let open = files.filter { PageFile($0)?.isForPairing ?? false }
        #expect(open == ["/mark.svg", "/pair.css", "/pair.html", "/pair.js"])
        try await Bench.serving { bench in
            let page = try await get("/", bench)
            #expect(page.has("Content-Type: text/html; charset=utf-8"))
            let names = page.body.matches(of: #/"(/.+?)-\w{16}(\..+?)"/#)
            #expect(names.map(\.2) == [".svg", ".css", ".js", ".js"])
            for name in names {
                let reply = try await get("\(name.0.dropFirst().dropLast())?v=1", bench)
                #expect(reply.text.contains(#/\r\nContent-Type: (image\/svg|text\/(css|javasc))/#))
                #expect(reply.text.contains("\r\nContent-Security-Policy: default-src 'self';"))
                #expect(reply.has("X-Content-Type-Options: nosniff") && reply.status == 200)
                #expect(reply.has("Cache-Control: public, max-age=31536000, immutable"))
            }
        }
    }

    @Test(
        "is sent again only when it has changed, and so is what it asks for",
        arguments: ["/", "/api/records"])
    func tags(_ path: String) async throws {
        try await Bench.serving { bench in
            let bearer = "Authorization: Bearer \(bench.token.text)\r\n"
            let first = try await get(path, bench, bearer)
            let tag = try #require(first.text.firstMatch(of: #/\r\nETag: (\S+)/#)).1
            for (tags, status) in [("\"x\", \(tag)", 304), ("\"x\"", 200)] {
                let reply = try await get(path, bench, bearer + "If-None-Match: \(tags)\r\n")
                #expect(reply.status == status && reply.has("Cache-Control: private, no-cache"))
                #expect(
                    reply.has("ETag: \(tag)") && reply.body == (status == 200 ? first.body : ""))
            }
        }
    }

    @Test(
        "is nothing else of this machine",
        arguments: [
            "/../etc/passwd", "/%2e%2e/etc/passwd", "/leaflet/", "/leaflet/../leaflet/leaflet.js",
            "/leaflet/leaflet.js.map", "/leaflet/../../../etc/passwd", "/app.js/", "/APP.JS",
            "//app.js", "/page.c", "/css", "/css/", "/app.js%00", "/app.js", "/dom.js", "/pair.js",
            "/app-0123456789abcdef.js", "/css/base.css", "/style.css", "/leaflet/leaflet.min.js",
        ])
    func nothingElse(_ path: String) async throws {
        try await Bench.serving { bench in
            let status = try await get(path, bench).status
            #expect(status == 404)
        }
    }

    @Test(
        "is compressed for whoever takes gzip, and for nobody else",
        arguments: [
            ("gzip", true), ("br, gzip", true), ("gzip;q=0.5", true), ("GZIP", true),
            ("gzip;q=0", false), ("gzip; q=0", false), ("br", false), ("", false),
            ("x-gzip", false),
        ])
    func compression(_ coding: String, _ isCompressed: Bool) async throws {
        try await Bench.serving { bench in
            let whole = try await get("/index.html", bench)
            let field = coding.isEmpty ? "" : "Accept-Encoding: \(coding)\r\n"
            let reply = try await get("/index.html", bench, field)
            #expect(reply.status == 200)
            #expect(reply.text.contains("\r\nContent-Encoding: gzip\r\n") == isCompressed)
            #expect((reply.text.utf8.count < whole.text.utf8.count) == isCompressed)
        }
    }

    @Test("is compressed to bytes from which another program makes the same")
    func sameBytes() throws {
        let bytes = (0..<200_000).map { UInt8(truncatingIfNeeded: $0 * $0 >> 7) }
        let head = HTTPRequestHead(
            version: .http1_1, method: .GET, uri: "/", headers: ["Accept-Encoding": "gzip"])
        let response = Response(.ok, body: bytes).compressed(for: head)
        guard case .whole(let compressed, _) = response.body else {
            throw ProgramError("The answer is not whole.")
        }
        let gunzip = Process()
        gunzip.executableURL = URL(filePath: "/bin/gzip")
        gunzip.arguments = ["-dc"]
        let (input, output) = (Pipe(), Pipe())
        (gunzip.standardInput, gunzip.standardOutput) = (input, output)
        try gunzip.run()
        Thread.detachNewThread {
            try? input.fileHandleForWriting.write(contentsOf: compressed)
            try? input.fileHandleForWriting.close()
        }
        #expect(try output.fileHandleForReading.readToEnd() == Data(bytes))
    }

    @Test("lets a browser in that was opened with the token, and keeps it in a cookie of the port")
    func cookie() async throws {
        try await Bench.serving { bench in
            let token = bench.token.text
            let cookie = "Set-Cookie: pulselog-8367=\(token); Path=/; "
            // Also from a file or another program, which a browser calls another site.
            for field in ["", "Sec-Fetch-Site: cross-site\r\n", "Sec-Fetch-Site: none\r\n"] {
                let entered = try await get("/?token=\(token)", bench, field)
                #expect(entered.status == 303)
                #expect(entered.text.contains("\r\nLocation: /\r\n"))
                #expect(entered.text.contains(cookie + "HttpOnly; SameSite=Strict\r\n"))
                // A browser goes on as it came.
                let shown = try await get("/", bench, field)
                #expect(shown.status == 200)
            }
            for other in ["", "x", String(token.dropLast()), token + "A"] {
                let refused = try await get("/?token=\(other)", bench)
                #expect(refused.status == 303)
                #expect(!refused.text.contains("Set-Cookie"))
            }
        }
    }

    @Test("is answered with its cookie only")
    func admission() async throws {
        try await Bench.serving { bench in
            let token = bench.token.text
            for (field, status) in [
                ("Cookie: pulselog-8367=\(token)", 200),
                ("Cookie: a=b; pulselog-8367=\(token); c=d", 200),
                ("Cookie: pulselog-8368=\(token)", 401), ("Cookie: pulselog-8367=", 401),
                ("Cookie: pulselog-8367=\(token)x", 401), ("Cookie: \(token)", 401),
                ("Cookie: pulselog-8367=\(token)\r\nSec-Fetch-Site: cross-site", 403),
                ("Cookie: pulselog-8367=\(token)\r\nSec-Fetch-Site: same-site", 403),
                ("Cookie: pulselog-8367=\(token)\r\nOrigin: http://127.0.0.1:8368", 403),
                ("Cookie: pulselog-8367=\(token)\r\nOrigin: null", 403),
                ("Cookie: pulselog-8367=\(token)\r\nOrigin: http://127.0.0.1:8367", 200),
                ("Cookie: pulselog-8367=stale\r\nAuthorization: Bearer \(token)", 200),
                ("Cookie: a=b\r\nCookie: pulselog-8367=\(token)", 400),
            ] {
                let reply = try await get("/api/status", bench, field + "\r\n")
                #expect(reply.status == status, "\(field)")
            }
            // Health totals are for programs: a page of ours needs no way to send them.
            let health = try await bench.send(
                Request(bench.token).with("Authorization", nil)
                    .with("Cookie", "pulselog-8367=\(token)").bytes)
            #expect(health.status == 401)
        }
    }

    @Test("has nothing in its files that the policy forbids, and no address of elsewhere")
    func policy() throws {
        for path in PageFile.embedded.keys.sorted() {
            let text = try String(contentsOf: Self.site.appending(path: path), encoding: .utf8)
            for word in ["style=\"", "<style", "onclick=\"", "innerHTML", "eval(", "https://"] {
                #expect(!text.contains(word), "\(path) has \(word)")
            }
            let others = text.components(separatedBy: "http://").dropFirst()
            for other in others { #expect(other.hasPrefix("www.w3.org/"), "\(path)") }
        }
    }
}
