import TestSupport
import Testing

@testable import DBus

@Suite("Value", .timeLimit(.minutes(5)))
struct ValueTests {
    private let service: TestService
    private let bus: Bus

    init() async throws {
        service = try await TestService()
        bus = try await Bus(service.daemon.address)
    }

    @Test("comes back from a service as it was sent")
    func roundTrip() async throws {
        for (signature, value) in Self.values {
            #expect(value.signature == signature)
            #expect(try await bus.call(TestService.call("Echo", value)) == [value])
        }
        await close(bus, service.bus)
    }

    @Test("comes back however it is composed", arguments: [1, 2, 3, 4])
    func randomRoundTrip(_ seed: UInt64) async throws {
        var random = SeededGenerator(seed: seed)
        for round in 0..<100 {
            let value = Self.randomValue(depth: 4, &random)
            let answer = try await bus.call(TestService.call("Echo", .variant(value)))
            #expect(answer == [.variant(value)], "seed \(seed), round \(round)")
        }
        await close(bus, service.bus)
    }

    @Test("goes out as a descriptor, but none is taken")
    func descriptor() async throws {
        let taken = try await service.bus.perform { (connection) throws(DBusError) in
            connection.droppedMessageCount
        }
        #expect(taken == 0)
        // The standard input of the tests; the service only hears that there was one.
        await #expect(throws: DBusError.self) {
            try await bus.call(TestService.call("Echo", .descriptor(0)))
        }
        let dropped = try await service.bus.perform { (connection) throws(DBusError) in
            connection.droppedMessageCount
        }
        #expect(dropped == 1)
        let closed = await #expect(throws: DBusError.self) {
            try await bus.call(TestService.call("Echo", .descriptor(-1)))
        }
        #expect(closed?.code == .invalidArgument)
        await close(bus, service.bus)
    }

    @Test("opens variants when asked what is inside")
    func access() {
        let table = Value.properties([
            ("Address", .string("C4:00:00:00:00:01")), ("RSSI", .int16(-60)),
            ("Connected", .boolean(true)), ("UUIDs", .strings(["180d"])),
            ("Value", .byteArray([1, 2])), ("Device", .objectPath("/a")), ("MTU", .uint32(9)),
        ])
        #expect(table["Address"]?.asString == "C4:00:00:00:00:01")
        #expect(table["RSSI"]?.asInt16 == -60)
        #expect(table["Connected"]?.asBoolean == true)
        #expect(table["UUIDs"]?.asStrings == ["180d"])
        #expect(table["Value"]?.asByteArray == [1, 2])
        #expect(table["Device"]?.asObjectPath == "/a")
        #expect(table["MTU"]?.asUInt32 == 9)
        #expect(table["Name"] == nil)
        #expect(table["RSSI"]?.asString == nil)
        #expect(Value.byte(1)["RSSI"] == nil)
    }

    static let values: [(String, Value)] = [
        ("y", .byte(0)), ("y", .byte(255)),
        ("b", .boolean(true)), ("b", .boolean(false)),
        ("n", .int16(.min)), ("n", .int16(.max)), ("q", .uint16(.max)),
        ("i", .int32(.min)), ("i", .int32(.max)), ("u", .uint32(.max)),
        ("x", .int64(.min)), ("x", .int64(.max)), ("t", .uint64(.max)),
        ("d", .double(0.1)), ("d", .double(-.infinity)), ("d", .double(.leastNonzeroMagnitude)),
        ("s", .string("")), ("s", .string("a\u{1B}[31m\n\u{202E}\u{FFFF}🫀")),
        ("s", .string(String(repeating: "ä", count: 100_000))),
        ("o", .objectPath("/")), ("o", .objectPath("/org/bluez/hci0")),
        ("g", .signature("")), ("g", .signature("a{oa{sa{sv}}}")),
        ("ay", .byteArray([])), ("ay", .byteArray([UInt8](repeating: 7, count: 1_000_000))),
        ("as", .strings([])), ("as", .strings(["", "b"])),
        ("aay", .array(elementSignature: "ay", [.byteArray([1]), .byteArray([])])),
        ("a(yb)", .array(elementSignature: "(yb)", [.structure([.byte(1), .boolean(true)])])),
        ("a{sv}", .properties([])),
        ("a{sv}", .properties([("b", .byte(1)), ("a", .strings(["x"])), ("b", .byte(2))])),
        (
            "a{qv}",
            .dictionary(
                entrySignature: "{qv}",
                [.init(key: .uint16(0x004C), value: .variant(.byteArray([0x02, 0x15])))])
        ),
        (
            "a{oa{sa{sv}}}",
            .dictionary(
                entrySignature: "{oa{sa{sv}}}",
                [
                    .init(
                        key: .objectPath("/org/bluez"),
                        value: .dictionary(
                            entrySignature: "{sa{sv}}",
                            [
                                .init(
                                    key: .string("org.bluez.Adapter1"),
                                    value: .properties([("Powered", .boolean(true))]))
                            ]))
                ])
        ),
        (
            "(s(yu)v)",
            .structure([.string("a"), .structure([.byte(1), .uint32(2)]), .variant(.byte(3))])
        ),
        ("v", (0..<32).reduce(.byte(0)) { value, _ in .variant(value) }),
    ]

    private static func randomValue(depth: Int, _ random: inout SeededGenerator) -> Value {
        let isBasic = depth == 0 || Bool.random(using: &random)
        if isBasic { return values[Int.random(in: 0..<24, using: &random)].1 }
        let inner = randomValue(depth: depth - 1, &random)
        let count = Int.random(in: 0...3, using: &random)
        switch Int.random(in: 0..<4, using: &random) {
        case 0: return .variant(inner)
        case 1: return .structure([inner, .byte(1)])
        case 2 where inner.signature != "y":
            return .array(
                elementSignature: inner.signature, [Value](repeating: inner, count: count))
        default:
            let entry = Value.Entry(key: .uint16(UInt16(count)), value: inner)
            return .dictionary(
                entrySignature: "{q\(inner.signature)}",
                [Value.Entry](repeating: entry, count: count))
        }
    }
}
