/// The bytes that a row of hexadecimal digits represents; spaces may group the digits.
package func bytes(_ hex: String) -> [UInt8] {
    var rest = hex.filter { !$0.isWhitespace }[...]
    var bytes: [UInt8] = []
    while !rest.isEmpty {
        guard rest.count >= 2, let byte = UInt8(rest.prefix(2), radix: 16) else {
            preconditionFailure("\(hex) is not a row of hexadecimal digits")
        }
        bytes.append(byte)
        rest = rest.dropFirst(2)
    }
    return bytes
}

/// The bytes as a row of lower-case hexadecimal digits.
package func hex(_ bytes: [UInt8]) -> String {
    bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
}

extension [UInt8] {
    /// The bytes in pieces of a size, as somebody may hand them over.
    package func pieces(of size: Int) -> [[UInt8]] {
        stride(from: 0, to: count, by: size).map { Array(dropFirst($0).prefix(size)) }
    }
}
