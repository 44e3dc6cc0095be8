import Foundation
import TestSupport
import Testing

/// A server under test, as a page uses it.
struct ServedPage: Sendable {
    let server: RunningProgram
    let port: UInt16
    let token: String
    /// Where it is for phones, if it is for them.
    let phones: String?

    /// Starts a server.
    init(
        _ bench: Workbench, _ options: String..., variables: [String: String] = [:]
    ) async throws {
        let arguments = ["serve", "--port", "0", "--json"] + options
        try await self.init(bench.start(arguments, variables))
    }

    /// Goes to a server that says as JSON where it is.
    init(_ server: RunningProgram) async throws {
        let announced = try Line(await server.line { $0.contains("page") }.text)
        try self.init(
            server, address: announced.text("page"), phones: announced.fields["phones"] as? String)
    }

    /// Goes to a recorder that serves, and has said where.
    init(_ recorder: RunningProgram, announcement: String) throws {
        let words = announcement.split(separator: " ").map(String.init)
        try self.init(recorder, address: try #require(words.first { $0.contains("token=") }))
    }

    private init(_ server: RunningProgram, address: String, phones: String? = nil) throws {
        (self.server, self.phones) = (server, phones)
        let address = try #require(URLComponents(string: address))
        port = try #require(address.port.flatMap(UInt16.init))
        token = try #require(address.queryItems?.first { $0.name == "token" }?.value)
    }

    private func head(_ line: String, _ fields: String = "") -> String {
        "\(line) HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\nCookie: pulselog-\(port)=\(token)\r\n"
            + "Origin: http://127.0.0.1:\(port)\r\n\(fields)\r\n"
    }

    /// What is told at a path, as it stands.
    func get(_ path: String) async throws -> Reply {
        try await Peer.send(Array(head("GET \(path)").utf8), to: port)
    }

    /// Asks for something.
    @discardableResult
    func ask(_ command: String, _ more: String = "") async throws -> Reply {
        let body = #"{"command":"\#(command)"\#(more.isEmpty ? "" : "," + more)}"#
        let fields = "Content-Type: application/json\r\nContent-Length: \(body.utf8.count)\r\n"
        return try await Peer.send(
            Array((head("POST /api/commands", fields) + body).utf8), to: port)
    }

    /// Listens to the events.
    func events(_ fields: String = "") throws -> Peer.Connection {
        let connection = try Peer.Connection(to: port)
        connection.send(head("GET /api/events", fields).utf8)
        return connection
    }

    /// Listens until a scene holds a text.
    @discardableResult
    func scene(with text: String) async throws -> String {
        let connection = try events()
        var heard = ""
        while true {
            let part = await connection.receive()
            try #require(!part.isEmpty, "no scene with \(text): \(heard.suffix(2_000))")
            heard += String(decoding: part, as: UTF8.self)
            let scenes = heard.split(whereSeparator: \.isNewline).filter {
                $0.hasPrefix(#"data: {"head":"#) && $0.hasSuffix("}")
            }
            if let scene = scenes.last(where: { $0.contains(text) }) { return String(scene) }
        }
    }

    /// Ends the server as Ctrl-C does.
    func end() async { await server.finish() }
}

extension String {
    /// The port of the first address of this machine in the text.
    var ownPort: UInt16? {
        firstMatch(of: /http:\/\/127\.0\.0\.1:(\d+)/).flatMap { UInt16($0.1) }
    }
}
