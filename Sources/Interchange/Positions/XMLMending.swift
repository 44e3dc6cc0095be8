/// Mends what walkers' programs write that is no XML (XML 1.0, sections 2.4 and 2.8): blanks or a
/// byte order mark before the document, and an `&` that begins none of XML's own entities.
///
/// What is within a CDATA section stays as it is, and so does a document in UTF-16.
struct XMLMending {
    private static let cdata = Array("<![CDATA[".utf8)
    private static let cdataEnd = Array("]]>".utf8)
    private static let entities = ["amp;", "lt;", "gt;", "quot;", "apos;"].map { Array($0.utf8) }
    private static let blanks: [UInt8] = [0x20, 0x09, 0x0A, 0x0D, 0xEF, 0xBB, 0xBF]

    /// How many lines were before the document.
    private(set) var linesBefore = 0
    private var isBegun = false
    private var isOff = false
    private var isLiteral = false
    /// The end of the last piece, as long as nobody knows what it is: 10 bytes at most.
    private var rest: [UInt8] = []

    /// Gives the next bytes of the document.
    mutating func take(_ piece: Span<UInt8>) -> [UInt8] {
        var bytes = rest
        rest = []
        bytes.reserveCapacity(bytes.count + piece.count)
        for index in piece.indices { bytes.append(piece[index]) }
        if !isBegun {
            let count = bytes.firstIndex { !Self.blanks.contains($0) } ?? bytes.count
            linesBefore += bytes[..<count].count { $0 == 0x0A }
            bytes.removeFirst(count)
            isBegun = !bytes.isEmpty
            isOff = bytes.first != UInt8(ascii: "<") || bytes.dropFirst().first == 0
        }
        return isOff ? bytes : mend(bytes)
    }

    private mutating func mend(_ bytes: [UInt8]) -> [UInt8] {
        var mended: [UInt8] = []
        mended.reserveCapacity(bytes.count + 64)
        for (index, byte) in bytes.enumerated() {
            let isKnown: Bool? =
                switch byte {
                case UInt8(ascii: "<") where !isLiteral: Self.begins(bytes[index...], Self.cdata)
                case UInt8(ascii: "]") where isLiteral: Self.begins(bytes[index...], Self.cdataEnd)
                case UInt8(ascii: "&") where !isLiteral: Self.isReference(bytes[(index + 1)...])
                default: false
                }
            guard let isKnown else {
                rest = Array(bytes[index...])
                break
            }
            mended.append(byte)
            if byte == UInt8(ascii: "&"), !isLiteral {
                if !isKnown { mended += Array("amp;".utf8) }
            } else if isKnown {
                isLiteral.toggle()
            }
        }
        return mended
    }

    /// Whether bytes begin so; nil while they may.
    private static func begins(_ bytes: ArraySlice<UInt8>, _ start: [UInt8]) -> Bool? {
        bytes.starts(with: start) ? true : start.starts(with: bytes) ? nil : false
    }

    /// Whether this is what follows the `&` of a reference; nil while it may be.
    private static func isReference(_ bytes: ArraySlice<UInt8>) -> Bool? {
        guard bytes.first == UInt8(ascii: "#") else {
            let answers = entities.map { begins(bytes, $0) }
            return answers.contains(true) ? true : answers.contains(nil) ? nil : false
        }
        // `x10FFFF` is the longest.
        let number = bytes.dropFirst().prefix(8).prefix { $0 != UInt8(ascii: ";") }
        guard number.count <= 7,
            number.allSatisfy({ Character(UnicodeScalar($0)).isHexDigit || $0 == UInt8(ascii: "x") }
            )
        else { return false }
        return number.endIndex == bytes.endIndex ? nil : !number.isEmpty
    }
}
