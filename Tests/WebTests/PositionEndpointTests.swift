import Deciding
import EventStore
import Events
import Foundation
import Interchange
import Projections
import TestSupport
import Testing

@testable import Web

@Suite("Positions over HTTP", .timeLimit(.minutes(2)))
struct PositionEndpointTests {
    /// What OwnTracks sends so many seconds after the time at which the clock stands.
    private static func body(_ second: Int) -> String {
        let time = 1_772_355_600 + second
        return #"{"_type":"location","lat":48.1\#(second),"lon":11,"tst":\#(time),"tid":"PH"}"#
    }

    private func post(
        _ bench: Bench, _ body: String, path: String = "/api/positions", token: String? = nil,
        login: String? = nil
    ) async throws -> Reply {
        let login = login ?? "Bearer \(token ?? bench.token.text)"
        let head =
            "POST \(path) HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: \(login)\r\n"
            + "Content-Length: \(body.utf8.count)\r\n\r\n"
        return try await bench.send(Array((head + body).utf8))
    }

    @Test("are recorded once while a walk is, and answered the same without one")
    func recorded() async throws {
        try await Bench.serving { bench in
            let answer = try await post(bench, Self.body(0))
            #expect(answer.status == 200 && answer.text.hasSuffix("[]\n"))
            #expect(try bench.log.next == 0, "nothing is stored without a walk")
            try await bench.record([.start()])
            let login = Data("anyone:\(bench.token.text)".utf8).base64EncodedString()
            for (path, login) in [
                ("", "Bearer \(bench.token.text)"), ("", "Basic \(login)"),
                ("/\(bench.token.text)", "none"),
            ] {
                let reply = try await post(
                    bench, Self.body(1), path: "/api/positions" + path, login: login)
                #expect(reply.status == 200, "\(path) \(login)")
            }
            var state = LogState()
            try bench.log.fold(from: 0, into: &state)
            #expect(state.own.recorder.fixes == 1, "the same once more")
            #expect(state.own.recorder.positions.leader?.told.app == OpenCode(.ownTracks))
        }
    }

    @Test("are read from an address and from a form")
    func parameters() async throws {
        try await Bench.serving { bench in
            try await bench.record([.start()])
            let query = "lat=48.2&longitude=11&time=2026-03-01T09%3A00%3A02Z&prov=gps&acc=5"
            let get = "/api/positions/\(bench.token.text)?\(query)"
            #expect(try await bench.get(get, token: "wrong").status == 401)
            let reply = try await bench.send(bench.head("GET \(get)", token: ""))
            #expect(reply.status == 200)
            let form = query.replacing("02Z", with: "03Z").replacing("48.2", with: "48.20001")
            #expect(try await post(bench, form).status == 200)
            var fixes: [PositionFixed] = []
            try bench.log.read(from: 0) { event in
                if let fix = event.fix { fixes.append(fix) }
                return true
            }
            #expect(fixes.map(\.latitudeE7) == [482_000_000, 482_000_100])
            #expect(fixes.map(\.fixedAtMilliseconds) == [1_772_355_602_000, 1_772_355_603_000])
        }
    }

    @Test("take no other secret, open nothing else, and are refused as far as nobody reads them")
    func refused() async throws {
        try await Bench.serving { bench in
            let login = Data("me:\(bench.token.text)".utf8).base64EncodedString()
            for path in ["/health", "/api/commands"] {
                let reply = try await post(bench, "{}", path: path, login: "Basic \(login)")
                #expect(reply.status == 401, "\(path)")
            }
            for login in ["Basic \(login)x", "Basic !", "Basic", "Bearer x", ""] {
                #expect(try await post(bench, Self.body(1), login: login).status == 401)
            }
            // A page of another port could ask for a picture at this address.
            let cookie = "Cookie: \(Admission.cookieName(host: "127.0.0.1"))=\(bench.token.text)"
            let picture = bench.head("GET /api/positions?lat=1&lon=1", token: "x", "\(cookie)\r\n")
            #expect(try await bench.send(picture).status == 401)
            for (body, status) in [
                ("{", 400), ("[", 400), ("{}", 422), ("x", 422), ("lat=%FF&lon=1", 400),
                (#"{"_type":"encrypted"}"#, 422), ("lat=999&lon=x", 200), ("", 200),
                (String(repeating: "[", count: 5_000), 400),
            ] {
                #expect(try await post(bench, body).status == status, "\(body.prefix(20))")
            }
            let long = String(repeating: " ", count: PhonePositions.limitBytes + 1)
            #expect(try await post(bench, long).status == 413)
            #expect(try await post(bench, String(repeating: "a&", count: 5_000)).status == 413)
        }
    }
}
