import BluetoothCentral
import Events
import Projections
import Recording
import TestSupport
import Testing
import WalkService

@testable import Web

@Suite("A command by HTTP")
struct WalkCommandTests {
    @Test(
        "is read as it is meant",
        arguments: [
            (#"{"command":"pause"}"#, .ask(.command(.pause))),
            (#"{"command":"resume","position":7}"#, .ask(.command(.resume))),
            (#"{"command":"finish"}"#, .ask(.command(.end()))),
            (#"{"command":"refresh"}"#, .ask(.command(.refresh()))),
            (#"{"command":"mark"}"#, .ask(.command(.mark()))),
            (#"{"command":"mark","text":"the bridge"}"#, .ask(.command(.mark("the bridge")))),
            (#"{"command":"setUp"}"#, .setUp()),
            (#"{"command":"scan"}"#, .setUp(listing: .services(BluetoothUUID.roleServices))),
            (#"{"command":"scan","all":true}"#, .setUp(listing: .all)),
            (#"{"command":"continue"}"#, .continueLeftOpen),
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
                #"{"command":"useSubstitute","address":"C4:00:00:00:00:01"}"#,
                .ask(.useSubstitute(BluetoothAddress(0xC400_0000_0001)))
            ),
            (
                #"{"command":"describe","session":4,"name":"Park loop","tags":["dog"," park"]}"#,
                .ask(
                    .command(
                        .describe(
                            SessionDescribed(
                                session: 4, sessionName: "Park loop", tags: "dog, park"))))
            ),
            (
                #"{"command":"describe","session":4,"place":"","note":"Ice.","sport":"hike"}"#,
                .ask(
                    .command(
                        .describe(
                            SessionDescribed(session: 4, place: "", note: "Ice.", sport: .hike))))
            ),
            (
                #"{"command":"describe","session":0,"tags":[],"listing":"hidden","name":null}"#,
                .ask(.command(.describe(SessionDescribed(tags: "", listing: .hidden))))
            ),
            (
                #"{"command":"forget","address":"C4:00:00:00:00:01"}"#,
                .decide { _ in .forget(Story.strap) }
            ),
            (
                #"{"command":"primary","address":"C4:00:00:00:00:01"}"#,
                .decide { _ in .makePrimary(Story.strap) }
            ),
        ] as [(String, WalkCommand)])
    func reads(_ text: String, _ expected: WalkCommand) throws {
        var story = Story()
        try story.pair("Strap One")
        func meaning(_ command: WalkCommand) throws -> String {
            guard case .decide(let make) = command else { return "\(command)" }
            return "\(try make(story.state))"
        }
        let isMore = text.contains(/"(scan|useSubstitute|describe|forget|primary)"/)
        for (kind, isAllowed) in [(Phone.Kind.watch, false), (.walk, !isMore), (.all, true)] {
            let phone = Phone(name: "", kind: kind, pairedAtMilliseconds: 0, secretDigest: "")
            let read = try? WalkCommand(decodingJSON: Array(text.utf8), of: phone)
            #expect((read != nil) == isAllowed, "\(kind)")
        }
        let read = try WalkCommand(decodingJSON: Array(text.utf8))
        #expect(try meaning(read) == meaning(expected))
    }

    @Test(
        "is refused where it is not what it should be",
        arguments: [
            "{}", "[]", "1", #"{"command":7}"#, #"{"command":"fly"}"#,
            #"{"command":"mark","text":1}"#, #"{"command":"pair"}"#,
            #"{"command":"useSubstitute"}"#,
            #"{"command":"pair","address":"C4"}"#, #"{"command":"forget","address":1}"#,
            #"{"command":"start","goal":7}"#, #"{"command":"start","goal":{"kind":"moon"}}"#,
            #"{"command":"start","goal":{"kind":"steps","target":-1}}"#,
            #"{"command":"start","goal":{"kind":"steps","target":1.5}}"#,
            #"{"command":"start","goal":{"kind":"steps","target":18446744073709551616}}"#,
            #"{"command":"start","goal":{"target":1}}"#,
            #"{"command":"start","goal":{"kind":"steps","target":1000001}}"#,
            #"{"command":"start","outAndBack":1}"#,
            #"{"command":"exclude","session":0,"device":"C4:00:00:00:00:01"}"#,
            #"{"command":"exclude","session":0,"device":7,"excluded":true}"#,
            #"{"command":"describe"}"#, #"{"command":"describe","session":"4"}"#,
            #"{"command":"describe","session":-1}"#,
            #"{"command":"describe","session":9007199254740992}"#,
            #"{"command":"describe","session":4,"name":7}"#,
            #"{"command":"describe","session":4,"tags":"dog"}"#,
            #"{"command":"describe","session":4,"tags":["dog",1]}"#,
            #"{"command":"describe","session":4,"tags":["dog,park"]}"#,
            #"{"command":"describe","session":4,"sport":"sail"}"#,
            #"{"command":"describe","session":4,"listing":true}"#,
        ])
    func refuses(_ text: String) {
        #expect(throws: HTTPRefusal.self) { try WalkCommand(decodingJSON: Array(text.utf8)) }
    }

    @Test("leaves out no strap that the walk has not heard")
    func excludes() throws {
        let text =
            #"{"command":"exclude","session":0,"device":"C4:00:00:00:00:01","excluded":true}"#
        guard case .decide(let make) = try WalkCommand(decodingJSON: Array(text.utf8)) else {
            Issue.record("It depends on the log.")
            return
        }
        var story = Story()
        try story.pair("Strap One")
        #expect("\(try make(story.state))" == "\(Command.exclude(.blank, session: 0, true))")
    }

    @Test(
        "describes a walk with texts as long as the log takes them, and no longer",
        arguments: [("name", 128), ("place", 128), ("note", 512)])
    func lengths(_ field: String, _ limit: Int) throws {
        func read(_ length: Int) throws -> WalkCommand {
            let text = String(repeating: "a", count: length)
            return try WalkCommand(
                decodingJSON: Array(
                    #"{"command":"describe","session":4,"\#(field)":"\#(text)"}"#.utf8))
        }
        _ = try read(limit)
        let refusal = #expect(throws: HTTPRefusal.self) { try read(limit + 1) }
        #expect(refusal?.code == "unreadableDescription")
        #expect(refusal?.message.contains("\(limit)") == true)
        #expect(refusal?.message.contains("sessionName") == false)
    }
}
