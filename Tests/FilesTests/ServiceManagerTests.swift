import Foundation
import TestSupport
import Testing

@testable import Files

@Suite("A service manager", .timeLimit(.minutes(1)))
struct ServiceManagerTests {
    @Test("is told, at a path and at a name that is in no file system")
    func messages() async throws {
        let folder = try TemporaryDirectory()
        for name in [folder.path + "/notify", "@pulselog-\(UUID().uuidString)"] {
            let socket = try NotifySocket(name)
            let manager = try #require(ServiceManager(["NOTIFY_SOCKET": name].variable))
            for message in [ServiceManager.Message.ready, .alive, .stopping] {
                manager.tell(message)
                #expect(await socket.receive() == message.rawValue)
            }
        }
        try folder.remove()
    }

    @Test("that does not listen holds nobody up")
    func silence() throws {
        let manager = try #require(ServiceManager(["NOTIFY_SOCKET": "/nowhere/at/all"].variable))
        manager.tell(.ready)
    }

    @Test(
        "isn't there without an address that can be one",
        arguments: [nil, "relative", "/" + String(repeating: "x", count: 107)])
    func nobody(_ address: String?) {
        #expect(ServiceManager(["NOTIFY_SOCKET": address].compactMapValues(\.self).variable) == nil)
    }

    @Test(
        "is told twice in the time that it waits, if it waits for this process",
        arguments: [
            ("60000000", nil, Duration.seconds(30)), ("60000000", "\(getpid())", .seconds(30)),
            ("60000000", "1", nil), (nil, nil, nil), ("0", nil, nil), ("1", nil, nil),
            ("2", nil, .microseconds(1)), ("4294967295", nil, .microseconds(2_147_483_647)),
            ("4294967296", nil, .microseconds(2_147_483_648)), ("-1", nil, nil), ("soon", nil, nil),
        ])
    func interval(_ waits: String?, _ process: String?, _ expected: Duration?) {
        let variables = ["NOTIFY_SOCKET": "/x", "WATCHDOG_USEC": waits, "WATCHDOG_PID": process]
        #expect(ServiceManager(variables.compactMapValues(\.self).variable)?.interval == expected)
    }
}

extension [String: String] {
    fileprivate var variable: (String) -> String? { { self[$0] } }
}
