import TestSupport
import Testing

@Suite("pulselog decode")
struct DecodeTests {
    /// Arguments, and what they give by the contract of the command line: exit code and standard
    /// output, byte for byte.
    static let vectors: [([String], Int32, String)] = [
        (
            ["2a37", "1653b402", "--json"], 0,
            #"""
            {"characteristic":"2a37","bytes":"1653b402","bpm":83,"contact":"detected",\#
            "energyKilojoules":null,"rrTicks":[692]}

            """#
        ),
        (
            ["2a37", "01", "--json"], 65,
            // The sentence is not part of the contract; that it is there, is.
            #"""
            {"characteristic":"2a37","bytes":"01","error":{"code":"truncated",\#
            "field":"heartRate","offset":1,"message":"*"}}

            """#
        ),
        (["0x2A37", "16 53:b4-02"], 0, "83 BPM, contact, RR 692 (1/1024 s)\n"),
        (
            ["00030001-78fc-48fe-8e23-433b3a1942d0", "01000000", "02000000"], 0,
            "1 step\n2 steps\n"
        ),
        (
            ["2a37", "0448", "0048", "--json"], 0,
            #"""
            {"characteristic":"2a37","bytes":"0448","bpm":72,"contact":"notDetected",\#
            "energyKilojoules":null,"rrTicks":[]}
            {"characteristic":"2a37","bytes":"0048","bpm":72,"contact":"unsupported",\#
            "energyKilojoules":null,"rrTicks":[]}

            """#
        ),
    ]

    @Test("answers as the contract says", arguments: vectors)
    func contract(_ arguments: [String], _ status: Int32, _ output: String) async throws {
        let end = try await Workbench().start(["decode"] + arguments).end
        #expect(end.status == status)
        #expect(end.text.replacing(/"message":"[^"]+"/, with: #""message":"*""#) == output)
    }

    @Test("says what is wrong with a value to people on standard error, and goes on")
    func malformed() async throws {
        let end = try await Workbench().run("decode", "2a37", "01", "0048")
        #expect(end.status == 65)
        #expect(end.text == "72 BPM, contact not supported\n")
        #expect(end.messages.hasPrefix("pulselog: 01: "))
        let empty = try await Workbench().run("decode", "2a37", "")
        #expect(empty.messages.hasPrefix("pulselog: the empty value: "))
    }
}
