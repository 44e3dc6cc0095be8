import Compression
import Testing

@Suite("Compressed bytes")
struct InflaterTests {
    private static let text = Array(String(repeating: "2026-03-01,120\n", count: 20_000).utf8)

    private func inflated(_ bytes: [UInt8], pieces size: Int) throws -> [UInt8] {
        let inflater = Inflater(.gzip)
        var (output, place) = ([UInt8](), 0)
        var input: ArraySlice<UInt8> = []
        while !inflater.isAtEnd, place < bytes.count || !input.isEmpty {
            if input.isEmpty {
                input = bytes[place..<min(place + size, bytes.count)]
                place += input.count
            }
            let piece = try inflater.next(&input)
            #expect(piece.count <= Inflater.pieceBytes)
            output += piece
        }
        return output
    }

    @Test("come back, however they are cut", arguments: [1, 17, 1 << 20])
    func pieces(size: Int) throws {
        let compressed = try #require(Gzip.compressed(Self.text))
        #expect(compressed.count < Self.text.count / 20)
        #expect(try inflated(compressed, pieces: size) == Self.text)
    }

    @Test("are refused if one of them is another, or come to no end")
    func damaged() throws {
        var compressed = try #require(Gzip.compressed(Self.text))
        #expect(try inflated(Array(compressed.dropLast(9)), pieces: 100) != [])
        compressed[compressed.count - 6] ^= 1
        #expect(throws: InflateError.self) { try inflated(compressed, pieces: 100) }
    }

    @Test("have the checksum of zip archives")
    func checksum() {
        var checksum = CRC32()
        checksum.take(Array("1234".utf8))
        checksum.take(Array("56789".utf8))
        #expect(checksum.value == 0xCBF4_3926)
    }
}
