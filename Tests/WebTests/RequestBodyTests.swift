import TestSupport
import Testing

@testable import Web

@Suite("The body of a request")
struct RequestBodyTests {
    @Test("is the same however it is cut")
    func cuts() throws {
        let wire = Array("3\r\nabc\r\n0A;x=\"y\"\r\n0123456789\r\n1\r\n!\r\n0\r\nT: u\r\n\r\n".utf8)
        for first in 0...wire.count {
            for second in first...wire.count {
                var body = try RequestBody(.chunked)
                try body.take(wire[..<first])
                try body.take(wire[first..<second])
                #expect(body.isComplete == (second == wire.count))
                try body.take(wire[second...])
                #expect(body.isComplete)
                #expect(body.bytes == Array("abc0123456789!".utf8))
            }
        }
    }

    @Test("passes over what stands after it")
    func after() throws {
        var chunked = try RequestBody(.chunked)
        try chunked.take(Array("1\r\na\r\n0\r\n\r\nPOST /".utf8)[...])
        #expect(chunked.bytes == Array("a".utf8))
        var counted = try RequestBody(.bytes(2))
        try counted.take(Array("abPOST /".utf8)[...])
        #expect(counted.isComplete)
        #expect(counted.bytes == Array("ab".utf8))
        #expect(try RequestBody(.bytes(0)).isComplete)
    }

    @Test("keeps within its limit, with all that stands around it")
    func limit() throws {
        #expect(try RequestBody(.bytes(8), limitBytes: 8).isComplete == false)
        #expect(throws: HTTPRefusal.self) { try RequestBody(.bytes(9), limitBytes: 8) }
        for wire in ["9\r\n", "5\r\nabcde\r\n5\r\nabcde", "00000000001", "1;xxxxxxxx"] {
            var body = try RequestBody(.chunked, limitBytes: 8)
            let error = #expect(throws: HTTPRefusal.self) { try body.take(Array(wire.utf8)[...]) }
            #expect(error?.status == .contentTooLarge, "\(wire)")
        }
    }

    @Test("of any bytes is read or refused", arguments: 0..<64 as Range<UInt64>)
    func anyBytes(_ seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let alphabet = Array("0123fF;\r\n \u{0}x".utf8)
        var body = try RequestBody(.chunked, limitBytes: 64)
        do throws(HTTPRefusal) {
            for _ in 0..<1_000 {
                try body.take([alphabet.randomElement(using: &random) ?? 0])
            }
        } catch {
            #expect([.badRequest, .contentTooLarge].contains(error.status), "seed \(seed)")
        }
        #expect(body.bytes.count <= 64)
    }
}
