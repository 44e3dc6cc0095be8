import TestSupport
import Testing

@Suite("pulselog replay of Bluetooth captures")
struct CaptureReplayTests {
    let bench = Workbench()

    /// The packets of one link: two values of handle 0x10, which is a Heart Rate Measurement if
    /// somebody asks.
    static func packets(isDiscovered: Bool) -> [String] {
        ["043e13 01 00 4000 00 01 010000 0000c4 1800 0000 2a00 00"]
            + [
                "02 4000 0900 0500 0400 04 1000 1000", "02 4020 0a00 0600 0400 05 01 1000 372a",
            ].filter { _ in isDiscovered }
            + ["02 4020 0900 0500 0400 1b 1000 0048", "02 4020 0900 0500 0400 1b 1000 0049"]
    }

    /// A btsnoop of these packets.
    static func btsnoop(isDiscovered: Bool) -> [UInt8] {
        btsnoop(packets(isDiscovered: isDiscovered))
    }

    /// A btsnoop of up to 16 packets, one a second.
    static func btsnoop(_ packets: [String]) -> [UInt8] {
        var file = Array("btsnoop\0".utf8) + bytes("00000001 000003ea")
        for (index, packet) in packets.enumerated() {
            let packet = bytes(packet)
            let count = [0, 0, 0, UInt8(packet.count)]
            // 2026-02-11T02:54:32Z, and some steps of 1.048576 s.
            file += count + count + bytes("00000001 00000000 00e32836 8d")
            file += [UInt8(index << 4), 0, 0] + packet
        }
        return file
    }

    @Test("shows the session, and the same through a pipe and in every mode")
    func session() async throws {
        let path = try bench.file("walk.btsnoop", Self.btsnoop(isDiscovered: true))
        let end = try await bench.expect("replay", path, "--json")
        let result = try Line(end.text)
        let rates = try result.objects("sessions")[0].object("heartRate")
        #expect(try rates.integer("samples") == 2 && rates.integer("sum") == 145)
        #expect(try result.integer("events") == 5)
        let piped = try bench.shell("cat '\(path)' | \"$0\" replay - --json")
        #expect(await piped.end.output == end.output)
        try await bench.expect("replay", path, "--digests", says: "\n4 sha256:")
    }

    @Test("says what is missing, and takes a handle that is given")
    func handles() async throws {
        let path = try bench.file("walk.btsnoop", Self.btsnoop(isDiscovered: false))
        try await bench.expect(
            "replay", path, status: 65, says: "no heart-rate characteristic here: 2 notifications",
            "--handle 0x10=2a37")
        try await bench.expect("replay", path, "--handle", "0x10=2a37", says: "2 samples")
        try await bench.expect("replay", path, "--handle", "16", status: 64)
        try await bench.expect("import", path, status: 65, says: "--handle 0x10=2a37")
        try await bench.expect("status", status: 66)
        try await bench.expect("import", path, "--handle", "0x10=2a37", says: "2 heart rates")
    }

    @Test("says that the packets are cut off, where that is why nothing is found")
    func cutPackets() async throws {
        // A log of Android's that holds no more than the packets' headers.
        var file = Array("btsnoop\0".utf8) + bytes("00000001 000003ea")
        for _ in 0..<3 {
            file += bytes("0000000e 00000005 00000001 00000000 00e328368d000000 0240200900")
        }
        try await bench.expect(
            "replay", try bench.file("headers.btsnoop", file), status: 65,
            says: "here: 3 packets cut off, damaged or incomplete.")
    }

    @Test("refuses what only a Bluetooth capture needs for anything else")
    func events() async throws {
        let lines = ReplayCase("one-minute").capture
        for arguments in [[lines, "--handle", "5=2a37"], ["store", "--as", "lines"]] {
            try await bench.expect(
                ["replay"] + arguments, status: 64, says: "are for Bluetooth captures")
        }
    }

    @Test("shows a cut capture as far as it goes, and says that it is partial")
    func cut() async throws {
        let whole = Self.btsnoop(isDiscovered: true)
        let path = try bench.file("cut.btsnoop", Array(whole.dropLast(3)))
        let end = try await bench.expect("replay", path, status: 65, says: "partial: byte")
        #expect(end.text.contains("1 sample"))
        let imported = try await bench.expect(
            "import", path, "--json", status: 65, says: "in part: byte")
        let line = try Line(imported.text)
        #expect(try line.integer("heartRates") == 1 && line.flag("partial"))
    }

    /// Files that are no captures, and a word of what is said of them.
    static let strangers: [(name: String, bytes: [UInt8], words: String)] = [
        ("gzip", [0x1F, 0x8B, 8, 0], "this is a gzip archive. Walks in it"),
        ("zip", Array("PK\u{3}\u{4}rest".utf8), "this is a zip archive"),
        (
            "store", [UInt8](repeating: 0, count: 16) + [0xDE, 0xC0, 0xEF, 0xBE],
            "data.mdb of a store"
        ),
        ("sqlite", Array("SQLite format 3\0".utf8), "this is an SQLite database"),
        ("noise", [0xFD, 0xFE, 0, 1, 2], "neither JSON Lines nor btsnoop"),
        ("text", Array("1648\n1649\n".utf8), "add --as lines"),
        ("lists", Array("[22, 83, 180]\n".utf8), "add --as lines"),
        ("array", Array("[{\"position\":0}]\n".utf8), "this is a JSON array"),
    ]

    @Test("names a file that is none")
    func named() async throws {
        for (name, bytes, words) in Self.strangers {
            let path = try bench.file(name, bytes)
            let end = try await bench.expect("replay", path, status: 65, says: words)
            #expect(end.output.isEmpty)
            let imported = try await bench.run("import", path)
            #expect([64, 65].contains(imported.status) && imported.output.isEmpty, "\(name)")
            // These look like health stores or archives, of which other sentences tell.
            let isPerhapsStore = ["sqlite", "gzip", "zip", "noise"].contains(name)
            #expect(imported.messages.contains(words) || isPerhapsStore, "\(imported.messages)")
            #expect(!imported.messages.contains("UTF-8"), "\(imported.messages)")
        }
    }

    @Test("reads a log that was written in UTF-16")
    func wide() async throws {
        let text = """
            Bluetooth monitor ver 5.66
            > ACL Data RX: Handle 64 flags 0x02 dlen 11    #1 [hci0] 2026-03-01 09:00:05.123456
                  ATT: Handle Value Notification (0x1b) len 6
                    Handle: 0x0010 Type: Heart Rate Measurement (0x2a37)
                      Data[4]: 163c8403

            """
        let bytes = ("\u{FEFF}" + text).utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
        let path = try bench.file("wide.log", bytes)
        let replayed = try await bench.object("replay", path, "--zone", "+01:00")
        #expect(try replayed.objects("sessions")[0].object("heartRate").integer("sum") == 60)
    }

    @Test("takes a value on each line")
    func lines() async throws {
        let path = try bench.file("values.txt", "1648\n[0, 73]\n")
        try await bench.expect(
            "replay", path, "--as", "lines", says: "2 samples",
            warns: "one value a second is assumed")
    }
}
