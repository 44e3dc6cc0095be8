import Foundation
import Terminal
import Testing

@Suite("A stream's writer")
struct StreamWriterTests {
    /// A pipe that holds 64 KiB, and a writer to it.
    private let reading: FileHandle
    private let writing: FileHandle
    private let writer: StreamWriter

    init() {
        let pipe = Pipe()
        reading = pipe.fileHandleForReading
        writing = pipe.fileHandleForWriting
        writer = StreamWriter(Output(descriptor: writing.fileDescriptor)) { omitted in
            Array("omitted \(omitted)\n".utf8)
        }
    }

    /// A line of 1,000 bytes that tells its number.
    private func line(_ number: Int) -> String {
        let digits = String(number)
        return digits + String(repeating: ".", count: 999 - digits.count)
    }

    @Test("writes all lines in order to a reader who reads")
    func reads() async throws {
        for number in 0..<100 { writer.put(Array((line(number) + "\n").utf8)) }
        let read = Task { @concurrent [reading] in
            try reading.read(upToCount: 100_004)
        }
        await writer.finish(with: Array("end\n".utf8))
        let bytes = try await read.value
        let lines = (0..<100).map(line) + ["end"]
        #expect(
            String(decoding: bytes ?? Data(), as: UTF8.self) == lines.joined(separator: "\n") + "\n"
        )
    }

    @Test("never waits, leaves out whole lines, and says once how many")
    func stopped() async throws {
        let total = StreamWriter.limitBytes / 250
        for number in 0..<total { writer.put(Array((line(number) + "\n").utf8)) }
        // Nobody reads yet: whoever waited for that would wait for ever.
        await writer.finish(with: Array("end\n".utf8))
        var bytes = Data()
        while !bytes.suffix(5).elementsEqual("\nend\n".utf8) { bytes += reading.availableData }
        var lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
        #expect(lines.popLast() == "end")
        let notice = lines.popLast()
        #expect(lines == (0..<lines.count).map(line))
        #expect(notice == "omitted \(total - lines.count)")
        #expect(lines.count >= StreamWriter.limitBytes / 1_000)
    }

    @Test("says why a stream cannot be written any more")
    func broken() async throws {
        try reading.close()
        signal(SIGPIPE, SIG_IGN)
        writer.put(Array("line\n".utf8))
        await writer.finish()
        #expect(writer.failure == EPIPE)
    }
}
