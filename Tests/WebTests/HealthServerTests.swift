import EventStore
import Foundation
import TestSupport
import Testing

@testable import Web
import WalkService
import Words

@Suite("The server of health totals")
struct HealthServerTests {
    /// A request that is not as it should be, and the status it gets.
    struct Vector: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let status: Int
        let change: @Sendable (Request) -> [UInt8]

        init(_ name: String, _ status: Int, _ change: @escaping @Sendable (Request) -> [UInt8]) {
            testDescription = name
            (self.status, self.change) = (status, change)
        }
    }

    static let strangers: [Vector] = [
        Vector("another path", 404) { $0.with(line: "POST /heal HTTP/1.1").bytes },
        Vector("another method", 405) { $0.with(line: "GET /health HTTP/1.1").bytes },
        Vector("a preflight", 405) { $0.with(line: "OPTIONS /health HTTP/1.1").bytes },
        Vector("a method in lower case", 400) { $0.with(line: "post /health HTTP/1.1").bytes },
        Vector("no host", 400) { $0.with("Host", nil).bytes },
        Vector("a rebound host", 403) { $0.with("Host", "evil.example:8367").bytes },
        Vector("another origin", 403) { $0.with("Origin", "https://evil.example").bytes },
        Vector("a cross-site fetch", 403) { $0.with("Sec-Fetch-Site", "cross-site").bytes },
        Vector("a fetch from another port", 403) { $0.with("Sec-Fetch-Site", "same-site").bytes },
        Vector("no token", 401) { $0.with("Authorization", nil).bytes },
        Vector("a short token", 401) { $0.with("Authorization", "Bearer AAEC").bytes },
        Vector("a token with another scheme", 401) {
            $0.with("Authorization", "Basic AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8").bytes
        },
        Vector("a token that differs at its end", 401) {
            $0.with("Authorization", "Bearer AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh9").bytes
        },
        Vector("no content type", 415) { $0.with("Content-Type", nil).bytes },
        Vector("a form", 415) { $0.with("Content-Type", "multipart/form-data").bytes },
        Vector("plain text", 415) { $0.with("Content-Type", "text/plain").bytes },
        Vector("a compressed body", 415) { $0.with("Content-Encoding", "gzip").bytes },
    ]

    static let malformed: [Vector] = [
        Vector("no HTTP", 400) { _ in Array("hello\r\n\r\n".utf8) },
        Vector("bytes of TLS", 400) { _ in [0x16, 0x03, 0x01, 0x00, 0x05, 0x0D, 0x0A, 0x0D, 0x0A] },
        Vector("a target that is no path", 400) { $0.with(line: "POST * HTTP/1.1").bytes },
        Vector("a version of the future", 505) { $0.with(line: "POST /health HTTP/3.0").bytes },
        Vector("a field without a name", 400) { $0.with("", "x").bytes },
        Vector("a field name with a space", 400) { $0.with("X ", "x").bytes },
        Vector("a folded field", 400) { $0.with("X", "a\r\n b").bytes },
        Vector("a lone line feed", 400) { $0.with("X", "a\nY: b").bytes },
        Vector("a control character", 400) { $0.with("X", "\u{1B}[2J").bytes },
        Vector("two hosts", 400) { $0.with("host", "localhost").bytes },
        Vector("two lengths", 400) { $0.with("content-length", "1").bytes },
        Vector("a length and chunks", 400) { $0.with("Transfer-Encoding", "chunked").bytes },
        Vector("a negative length", 400) { $0.with("Content-Length", "-1").bytes },
        Vector("a length with a sign", 400) { $0.with("Content-Length", "+1").bytes },
        Vector("no length", 411) { $0.with("Content-Length", nil).bytes },
        Vector("another transfer coding", 400) {
            $0.with("Content-Length", nil).with("Transfer-Encoding", "gzip").bytes
        },
        Vector("too large a head", 431) {
            $0.with("X", String(repeating: "x", count: WebServer.headLimitBytes)).bytes
        },
        Vector("too long a path", 431) {
            let path = String(repeating: "x", count: WebServer.headLimitBytes)
            return $0.with(line: "POST /\(path) HTTP/1.1").bytes
        },
        Vector("too many fields", 431) { request in
            (0...WebServer.fieldLimit).reduce(request) { $0.with("X\($1)", "") }.bytes
        },
        Vector("a body announced too long", 413) { $0.with("Content-Length", "1048577").bytes },
        Vector("a length no integer holds", 400) {
            $0.with("Content-Length", String(repeating: "9", count: 40)).bytes
        },
        Vector("a body that is sent, however it is refused", 413) {
            $0.with("Content-Length", "5000000").bytes + [UInt8](repeating: 0x20, count: 5_000_000)
        },
        Vector("bytes after a change of protocol", 404) {
            $0.with(line: "GET /nothing HTTP/1.1").with("Upgrade", "x").with(
                "Connection", "upgrade"
            )
            .bytes + [UInt8](repeating: 0x20, count: 1_000_000)
        },
        Vector("a chunk that is too long", 413) {
            $0.with(chunked: "100001\r\n" + String(repeating: " ", count: 0x10_0001)).bytes
        },
        Vector("a chunk of 2^64 bytes", 400) { $0.with(chunked: "10000000000000000\r\n").bytes },
        Vector("chunks too long together", 413) { request in
            let chunk = "80000\r\n" + String(repeating: " ", count: 0x8_0000) + "\r\n"
            return request.with(chunked: chunk + chunk + "1\r\n \r\n0\r\n\r\n").bytes
        },
        Vector("a chunk extension without end", 413) {
            $0.with(chunked: "1;" + String(repeating: "x", count: 3 << 20)).bytes
        },
        Vector("a chunk without size", 400) { $0.with(chunked: "\r\n").bytes },
        Vector("a chunk longer than it says", 400) { $0.with(chunked: "1\r\n{}\r\n").bytes },
    ]

    static let bodies: [(String, Int)] = [
        ("", 400), ("{", 400), ("nul", 400), (#"{"date":"2026-03-01","steps":01}"#, 400),
        (#"{"date":"2026-03-01","date":"2026-03-01"}"#, 400),
        (String(repeating: "[", count: 100), 400), ("\u{FEFF}{}", 400),
        ("{}", 422), ("null", 422), (#""8123""#, 422),
        // Known forms, of which nothing can be used.
        ("[1]", 200), (#"{"date":"2026-02-30","steps":1}"#, 200),
        (#"{"date":20260301,"steps":1}"#, 200), (#"{"date":"2026-03-01"}"#, 200),
        (#"{"date":"2026-03-01","steps":"8123"}"#, 200),
        (#"{"date":"2026-03-01","steps":-1}"#, 200), (#"{"date":"2026-03-01","steps":1.5}"#, 200),
        (#"{"date":"2026-03-01","steps":1,"until":"soon"}"#, 200),
        (#"{"date":"2026-03-02","steps":1}"#, 200),
    ]

    @Test(
        "refuses strangers and what is no request, and goes on", arguments: [strangers, malformed])
    func refuses(_ vectors: [Vector]) async throws {
        try await Bench.serving { bench in
            _ = try await bench.post(#"{"date":"2026-03-01","steps":1}"#)
            let head = try bench.log.next
            for vector in vectors {
                let reply = try await bench.send(vector.change(Request(bench.token)))
                #expect(reply.status == vector.status, "\(vector.testDescription): \(reply.text)")
                #expect(reply.body.hasPrefix(#"{"error":{"code":""#))
                #expect(reply.has("Connection: close"))
                #expect(try bench.log.next == head, "\(vector.testDescription)")
            }
            #expect(try await bench.post(#"{"date":"2026-03-01","steps":2}"#).status == 200)
            #expect(try bench.totals() == [1, 2])
        }
    }

    @Test("takes nothing of what cannot be used, and says so")
    func refusesBodies() async throws {
        try await Bench.serving { bench in
            _ = try await bench.post(#"{"date":"2026-03-01","steps":1}"#)
            let head = try bench.log.next
            for (body, status) in Self.bodies {
                let reply = try await bench.post(body)
                #expect(reply.status == status, "\(body): \(reply.text)")
                let isNamed = ["\"reason\":\"invalid\"", "refused"].contains(
                    where: reply.body.contains)
                #expect(isNamed == (status == 200), "\(body): \(reply.text)")
                #expect(try bench.log.next == head, "\(body)")
            }
            #expect(try await bench.post(#"{"date":"2026-03-01","steps":2}"#).status == 200)
        }
    }

    @Test("names the methods, the scheme and the place")
    func details() async throws {
        try await Bench.serving { bench in
            let good = Request(bench.token)
            let method = try await bench.send(good.with(line: "PUT /health HTTP/1.1").bytes)
            #expect(method.has("Allow: POST"))
            let token = try await bench.send(good.with("Authorization", nil).bytes)
            #expect(token.has(#"WWW-Authenticate: Bearer realm="pulselog""#))
            let body = try await bench.post(#"{"date":x}"#)
            #expect(body.body.contains(#""offset":8"#))
        }
    }

    @Test("echoes nothing of a request that it refuses")
    func echoesNothing() async throws {
        try await Bench.serving { bench in
            let good = Request(bench.token, #"{"zzz":"zzz"}"#)
            for request in [
                good, good.with(line: "POST /zzz HTTP/1.1"),
                good.with(line: "zzz /health HTTP/1.1"),
                good.with("Host", "zzz"), good.with("Authorization", "Bearer zzz"),
            ] {
                let reply = try await bench.send(request.bytes)
                #expect(reply.status >= 400)
                #expect(!reply.text.contains("zzz"))
            }
        }
    }

    @Test("takes a total once, and tells what became of it")
    func takes() async throws {
        try await Bench.serving { bench in
            let body = #"[{"date":"2026-03-01","steps":8123},{"date":"2026-02-28","steps":7000}]"#
            let first = try await bench.post(body)
            #expect(first.status == 200)
            #expect(
                first.body == """
                    {"origin":"push","days":[\
                    {"date":"2026-02-28","steps":7000,"outcome":"taken","displayed":7000},\
                    {"date":"2026-03-01","steps":8123,"outcome":"taken","displayed":8123}],\
                    "samples":0,"newSamples":0,"ignored":[]}\n
                    """)
            let head = try bench.log.next
            let again = try await bench.post(body)
            #expect(again.status == 200)
            #expect(!again.body.contains("taken"))
            let less = try await bench.post(#"{"date":"2026-03-01","steps":8000}"#)
            #expect(less.body.contains(#""outcome":"known","displayed":8123"#))
            #expect(try bench.log.next == head)
        }
    }

    @Test("takes requests in every form that HTTP allows")
    func forms() async throws {
        try await Bench.serving { bench in
            let good = Request(bench.token)
            let body = String(decoding: good.body, as: UTF8.self)
            let half = body.utf8.count / 2
            let chunks = [body.prefix(half), body.dropFirst(half)]
                .map { "\(String($0.utf8.count, radix: 16));x=y\r\n\($0)\r\n" }.joined()
            for request in [
                good, good.with(chunked: chunks + "0\r\nX: y\r\n\r\n"),
                good.with("Host", "localhost"), good.with("Host", "[::1]:9"),
                good.with("Host", "LOCALHOST:9"), good.with("Origin", "http://127.0.0.1:8367"),
                good.with("Sec-Fetch-Site", "none"), good.with(line: "POST /health?a=b HTTP/1.0"),
                good.with("Content-Type", "Application/JSON; charset=utf-8"),
                good.with("Host", " localhost \t"),
                good.with("Content-Length", "\(body.utf8.count) "),
            ] {
                let reply = try await bench.send(request.bytes)
                #expect(reply.status == 200, "\(request.fields): \(reply.text)")
            }
            let closing = try await bench.send(good.bytes, thenCloses: true)
            #expect(closing.status == 200)
            let expecting = good.with("Expect", "100-continue")
            let bytes = expecting.bytes.dropLast(expecting.body.count)
            let reply = try await bench.send(Array(bytes), thenCloses: true)
            // The rest was not sent: half a request is malformed.
            #expect(
                reply.text.hasPrefix("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 400 "),
                "\(reply.text)")
        }
    }

    @Test("answers a hundred connections at once, and records one total once")
    func hundred() async throws {
        try await Bench.serving { bench in
            let good = Request(bench.token).bytes
            try await withThrowingTaskGroup(of: Reply.self) { group in
                for _ in 0..<100 { group.addTask { try await bench.send(good) } }
                // As many of one token come at once; the others are to come again.
                for try await reply in group {
                    #expect(reply.status == 200 || reply.has("Retry-After: 1"), "\(reply.text)")
                }
            }
            #expect(try bench.totals() == [8_123])
        }
    }

    @Test("says that it took too long to record totals, whatever the log does, and goes on")
    func recordsTooLong() async throws {
        let listener = try Listener(port: 0)
        let token = AccessToken(random: [UInt8](0..<32))
        let log = StuckLog()
        let service = try await WalkService(FollowedStore(walks: log), machine: machine)
        log.getStuck()
        let site = Site(
            service, token: token, limit: .milliseconds(100), offsetMinutes: { _ in 0 })
        let serving = Task { try await WebServer([listener], site).run() }
        for _ in 0..<5 {
            let reply = try await Peer.send(Request(token).bytes, to: listener.port)
            #expect(reply.status == 503)
            #expect(reply.body.contains("notRecordedInTime"), "\(reply.text)")
        }
        log.letGo()
        serving.cancel()
        try await serving.value
    }

    @Test("leaves a port in use to who has it")
    func portInUse() throws {
        let listener = try Listener(port: 0)
        defer { listener.close() }
        let error = #expect(throws: CommandFailure.self) { try Listener(port: listener.port) }
        #expect(error?.message.hasPrefix("Another program is listening") == true)
    }
}
