import TestSupport
import Testing

@Suite("pulselog decode")
struct DecodeTests {
    /// Arguments, and what they give: exit code and standard output, byte for byte.
    struct Vector: Sendable, CustomTestStringConvertible {
        let arguments: [String]
        let status: Int32
        let output: String

        var testDescription: String { arguments.joined(separator: " ") }
    }

    /// The contract of the command line, and what stands beside it.
    static let vectors = [
        Vector(
            arguments: ["2a37", "1653b402", "--json"], status: 0,
            output: #"""
                {"characteristic":"2a37","bytes":"1653b402","bpm":83,"contact":"detected",\#
                "energyKilojoules":null,"rrTicks":[692]}

                """#),
        Vector(
            arguments: ["2a37", "01", "--json"], status: 65,
            output: #"""
                {"characteristic":"2a37","bytes":"01","error":{"code":"truncated",\#
                "field":"heartRate","offset":1,"message":"\#(message)"}}

                """#),
        Vector(
            arguments: ["0x2A37", "16 53:b4-02"], status: 0,
            output: "83 BPM, contact, RR 692 (1/1024 s)\n"),
        Vector(
            arguments: ["00030001-78fc-48fe-8e23-433b3a1942d0", "01000000", "02000000"], status: 0,
            output: "1 step\n2 steps\n"),
        Vector(
            arguments: ["2a37", "0448", "0048", "--json"], status: 0,
            output: #"""
                {"characteristic":"2a37","bytes":"0448","bpm":72,"contact":"notDetected",\#
                "energyKilojoules":null,"rrTicks":[]}
                {"characteristic":"2a37","bytes":"0048","bpm":72,"contact":"unsupported",\#
                "energyKilojoules":null,"rrTicks":[]}

                """#),
    ]

    /// The sentence is not part of the contract; that it is there, is.
    static let message = "*"

    @Test("answers as the contract says", arguments: vectors)
    func contract(_ vector: Vector) async throws {
        let end = try await Workbench().start(["decode"] + vector.arguments).end
        #expect(end.status == vector.status)
        let text = end.text.replacing(/"message":"[^"]+"/, with: #""message":"*""#)
        #expect(text == vector.output)
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
