import Interchange
import JSON
import TestSupport
import Testing

@Suite("JSON Lines, strictly")
struct JSONLinesRefusalTests {
    static let good = JSONLinesTests.line(
        #""kind":"importEnded","version":1,"importedEvents":4,"findings":0"#)

    /// The good line with one piece replaced.
    static func with(_ old: String, _ new: String) -> String {
        guard let range = good.firstRange(of: old) else {
            preconditionFailure("\(old) is not in the line")
        }
        return String(good[..<range.lowerBound]) + new + good[range.upperBound...]
    }

    static let equivalents: [(line: String, canonical: String)] = [
        (
            """
             { "findings" : 0 ,"version":1, "importedEvents":4,"kind":"importEnded",
            "simulated":false,"wallTrusted":false,"bootNumber":3,"wallMilliseconds":-2,
            "bootMilliseconds":1000,"source":0,"position":5}\r
            """, good
        ),
        (with(#""importEnded""#, #""import\u0045nded""#), good),
        (
            JSONLinesTests.line(#""kind":"importEnded","version":1,"payload":"0400""#), good
        ),
        (JSONLinesTests.line(#""kind":"0x08","version":1,"payload":"0400""#), good),
        (with(#""wallTrusted":false,"simulated":false"#, #""flags":0"#), good),
        (
            JSONLinesTests.line(#""kind":"sessionEnded","version":1,"reason":2"#),
            JSONLinesTests.line(#""kind":"sessionEnded","version":1,"reason":"leftOpen""#)
        ),
        (
            JSONLinesTests.line(#""kind":"0x4F","version":1,"payload":"AB""#),
            JSONLinesTests.line(#""kind":"0x4f","version":1,"payload":"ab""#)
        ),
    ]

    @Test("are read in any order, as another version or hand wrote them", arguments: equivalents)
    func readsEquivalents(_ vector: (line: String, canonical: String)) throws {
        let read = try JSONLines.decode(line: Array(vector.line.utf8), number: 1)
        let written = try JSONLines.encode(read.header, payload: read.payload.span)
        #expect(written.text == vector.canonical + "\n")
    }

    static let refusals: [(line: String, code: JSONLinesError.Code, key: String?)] = [
        ("", .invalidJSON, nil), ("{", .invalidJSON, nil), ("\u{0}", .invalidJSON, nil),
        ("[]", .notAnObject, nil), ("null", .notAnObject, nil), ("{}", .missingKey, "position"),
        (with(#""findings":0"#, #""findings":0,"findings":0"#), .invalidJSON, nil),
        (with(#""findings":0"#, #""found":0"#), .missingKey, "findings"),
        (with(#""findings":0"#, #""findings":0,"more":1"#), .unknownKey, "more"),
        (with(#""findings":0"#, #""findings":0,"FINDINGS":1"#), .unknownKey, "FINDINGS"),
        (with(#""findings":0"#, #""findings":0,"flags":0"#), .unknownKey, "wallTrusted"),
        (with(#""findings":0"#, #""payload":"0400""#), .unknownKey, "importedEvents"),
        (with(#""source":0,"#, ""), .missingKey, "source"),
        (with(#""simulated":false,"#, ""), .missingKey, "simulated"),
        (with(#""kind":"importEnded","#, ""), .missingKey, "kind"),
        (with("importEnded", "importFinished"), .unknownKind, "kind"),
        (with("importEnded", "0x"), .unknownKind, "kind"),
        (with("importEnded", "0x8"), .unknownKind, "kind"),
        (with("importEnded", "0x0808"), .unknownKind, "kind"),
        (with("importEnded", "0x00"), .unknownKind, "kind"),
        (with("importEnded", "0xe1"), .unknownKind, "kind"),
        (with("importEnded", "\\u001b[2J"), .unknownKind, "kind"),
        (with(#""importEnded""#, "8"), .invalidValue, "kind"),
        (with("importEnded", "0x4f"), .missingKey, "payload"),
        (with(#""version":1"#, #""version":2"#), .missingKey, "payload"),
        (with(#""version":1"#, #""version":0"#), .invalidValue, "version"),
        (with(#""version":1"#, #""version":65536"#), .invalidValue, "version"),
        (with(#""position":5"#, #""position":9007199254740992"#), .invalidValue, "position"),
        (with(#""position":5"#, #""position":-1"#), .invalidValue, "position"),
        (with(#""source":0"#, #""source":4294967296"#), .invalidValue, "source"),
        (with(#""simulated":false"#, #""simulated":0"#), .invalidValue, "simulated"),
        (with(#""simulated":false"#, #""simulated":null"#), .invalidValue, "simulated"),
        (
            with(#""wallTrusted":false,"simulated":false"#, #""flags":256"#), .invalidValue,
            "flags"
        ),
    ]

    @Test("are refused with the key that is wrong", arguments: refusals)
    func refuses(_ vector: (line: String, code: JSONLinesError.Code, key: String?)) throws {
        let error = try #require(decoded(vector.line).failure)
        #expect(error.code == vector.code, "\(error)")
        #expect(error.key == vector.key, "\(error)")
        #expect(error.line == 7)
        #expect(error.description.hasPrefix("Line 7"))
    }

    @Test("are read one after the other as each alone")
    func readsInTurn() {
        let lines = Self.refusals.map(\.line).filter { !$0.isEmpty }.flatMap { [$0, Self.good] }
        var reader = JSONLinesReader()
        reader.push(Array(lines.map { $0 + "\n" }.joined().utf8))
        for (index, line) in lines.enumerated() {
            let alone = Result { () throws(JSONLinesError) -> EventLine? in
                try JSONLines.decode(line: Array(line.utf8), number: index + 1)
            }
            let inTurn = Result { () throws(JSONLinesError) in try reader.next() }
            #expect(inTurn == alone, "\(line)")
        }
    }

    @Test(
        "are refused where a number is no plain integer",
        arguments: [
            "4.0", "4e0", "4E0", "-0", "1e400", "-1", "true", "\"4\"", "null", "[4]", "{}",
            "9007199254740992", "18446744073709551616", String(repeating: "9", count: 4_000),
        ])
    func refusesNumbers(_ number: String) {
        let line = Self.with(#""importedEvents":4"#, #""importedEvents":\#(number)"#)
        #expect(refusal(line) == .invalidValue)
    }

    static let fields: [(rest: String, key: String)] = [
        (#""kind":"deviceForgotten","version":1,"device":"C4:00""#, "device"),
        (#""kind":"deviceForgotten","version":1,"device":null"#, "device"),
        (#""kind":"legacyValueImported","version":1,"date":"2026-02-29","total":1"#, "date"),
        (#""kind":"legacyValueImported","version":1,"date":20513,"total":1"#, "date"),
        (
            #""kind":"legacyValueImported","version":1,"date":"2026-03-01","total":2147483648"#,
            "total"
        ),
        (#""kind":"sessionEnded","version":1,"reason":"tired""#, "reason"),
        (#""kind":"sessionEnded","version":1,"reason":256"#, "reason"),
        (#""kind":"sessionEnded","version":1,"reason":-1"#, "reason"),
        (#""kind":"goalReached","version":1,"goalKind":1,"goalTarget":1"#, "goalKind"),
        (#""kind":"goalReached","version":1,"goalKind":"all","goalTarget":1"#, "goalKind"),
        (#""kind":"noted","version":1,"text":null,"author":"""#, "text"),
        (#""kind":"noted","version":1,"text":1,"author":"""#, "text"),
        (#""kind":"valueCut","version":2,"payload":"0""#, "payload"),
        (#""kind":"valueCut","version":2,"payload":"zz""#, "payload"),
        (#""kind":"valueCut","version":2,"payload":[0]"#, "payload"),
        (
            #""kind":"valueCut","version":2,"payload":"\#(String(repeating: "00", count: 2_049))""#,
            "payload"
        ),
        (
            #""kind":"sessionMarked","version":1,"text":"\#(String(repeating: "é", count: 257))""#,
            "text"
        ),
        (
            #""kind":"bootBegan","version":1,"bootID":"00","zoneOffsetMinutes":0,"zoneName":"""#,
            "bootID"
        ),
        (
            #""kind":"characteristicRead","version":1,"device":"C4:00:00:00:00:01","#
                + #""characteristic":"infiniTimeStepCount","value":"""#, "characteristic"
        ),
        (
            #""kind":"profileChanged","version":1,"heightMillimetres":null,"weightGrams":null,"#
                + #""dailyGoalSteps":null,"maximumHeartRateBPM":null,"restingHeartRateBPM":null,"#
                + #""zones":"limits","moderateFrom":3,"vigorousFrom":2,"maximumFrom":1,"#
                + #""stepsPerCadenceCount":1"#, "zoneLimits"
        ),
    ]

    @Test("are refused where a field does not take the value", arguments: fields)
    func refusesFields(_ vector: (rest: String, key: String)) throws {
        let error = try #require(decoded(JSONLinesTests.line(vector.rest)).failure)
        #expect(error.code == .invalidValue, "\(error)")
        #expect(error.key == vector.key, "\(error)")
    }

    @Test("are refused by a message that is safe to print", arguments: HostileNames.all.indices)
    func harmlessMessages(_ index: Int) {
        // Listed by index, so that a terminal that shows the list stays unharmed.
        let name = HostileNames.all[index]
        let written = JSONWriter.line { $0.field(name, name) }.text.dropLast(2).dropFirst()
        let errors = [
            decoded(Self.with(#""findings":0"#, #""findings":0,\#(written)"#)),
            decoded(Self.with(#""kind":"importEnded""#, #""kind":\#(quoted(name))"#)),
        ]
        for case .failure(let error) in errors {
            let isObeyed = error.description.unicodeScalars.contains {
                $0.properties.isBidiControl || $0.properties.generalCategory == .control
            }
            #expect(!isObeyed)
            #expect(error.description.utf8.count < 1_024)
        }
    }

    func quoted(_ text: String) -> String {
        var writer = JSONWriter()
        writer.value(text)
        return writer.bytes.text
    }

    @Test("say what happened and what to do")
    func message() {
        guard case .failure(let error) = decoded(Self.with(#""findings":0"#, #""findings":1.0"#))
        else {
            Issue.record("accepted")
            return
        }
        #expect(
            error.description == """
                Line 7, key "findings": The number is not a plain integer from 0 to \
                9007199254740991. Write the value as an export does.
                """)
    }
}
