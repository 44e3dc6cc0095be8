import BluetoothCentral
import Events
import Projections
import Testing

@testable import Web

@Suite("A command by HTTP")
struct WalkRequestTests {
    @Test(
        "is read as it is meant",
        arguments: [
            (#"{"command":"pause"}"#, .command(.pause)),
            (#"{"command":"resume","position":7}"#, .command(.resume)),
            (#"{"command":"end"}"#, .command(.end())),
            (#"{"command":"refresh"}"#, .command(.refresh())),
            (#"{"command":"mark"}"#, .command(.mark())),
            (#"{"command":"mark","text":"the bridge"}"#, .command(.mark("the bridge"))),
            (#"{"command":"setUp"}"#, .setUp(isListing: false)),
            (#"{"command":"scan"}"#, .setUp(isListing: true)),
            (#"{"command":"scan","all":true}"#, .setUp(isListing: true, isAll: true)),
            (#"{"command":"continue"}"#, .goOn),
            (#"{"command":"start"}"#, .start(Goal(), outAndBack: false)),
            (#"{"command":"start","goal":{"kind":"none"}}"#, .start(Goal(), outAndBack: false)),
            (
                #"{"command":"start","goal":{"kind":"steps","target":6000},"outAndBack":true}"#,
                .start(Goal(kind: .steps, target: 6_000), outAndBack: true)
            ),
            (
                #"{"command":"start","goal":{"kind":"daily"}}"#,
                .start(Goal(kind: .daily), outAndBack: false)
            ),
            (
                #"{"command":"forget","address":"C4:00:00:00:00:01"}"#, .forget(0xC400_0000_0001)
            ),
            (
                #"{"command":"primary","address":"C4:00:00:00:00:01"}"#, .primary(0xC400_0000_0001)
            ),
        ] as [(String, WalkRequest)])
    func reads(_ text: String, _ expected: WalkRequest) throws {
        #expect(try WalkRequest(decodingJSON: Array(text.utf8)) == expected)
    }

    @Test(
        "is refused where it is not what it should be",
        arguments: [
            "{}", "[]", "1", #"{"command":7}"#, #"{"command":"fly"}"#,
            #"{"command":"mark","text":1}"#, #"{"command":"pair"}"#,
            #"{"command":"pair","address":"C4"}"#, #"{"command":"forget","address":1}"#,
            #"{"command":"start","goal":7}"#, #"{"command":"start","goal":{"kind":"moon"}}"#,
            #"{"command":"start","goal":{"kind":"steps","target":-1}}"#,
            #"{"command":"start","goal":{"kind":"steps","target":1.5}}"#,
            #"{"command":"start","goal":{"kind":"steps","target":18446744073709551616}}"#,
            #"{"command":"start","goal":{"target":1}}"#,
            #"{"command":"start","outAndBack":1}"#,
        ])
    func refuses(_ text: String) {
        #expect(throws: HTTPRefusal.self) { try WalkRequest(decodingJSON: Array(text.utf8)) }
    }
}
