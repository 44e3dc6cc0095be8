internal import CQRencode

/// A QR code (ISO/IEC 18004): a text that a camera reads.
public struct QRCode: Hashable, Sendable {
    /// How many modules are left light around it.
    static let quietModules = 4

    /// How many modules are on a side.
    public let side: Int
    private let dark: [Bool]

    /// Makes one of a text, of the lowest level of correction: screens are clean, and small.
    ///
    /// - Parameter text: The text; nil comes of one that is too long for any code.
    public init?(_ text: String) {
        guard let code = unsafe QRcode_encodeString8bit(text, 0, QR_ECLEVEL_L) else { return nil }
        defer { unsafe QRcode_free(code) }
        let width = Int(unsafe code.pointee.width)
        let modules = unsafe UnsafeBufferPointer(
            start: code.pointee.data, count: width * width)
        side = width
        // The lowest bit is the colour.
        dark = unsafe modules.map { $0 & 1 == 1 }
    }

    /// Whether a module is dark; none around it is.
    public subscript(column: Int, row: Int) -> Bool {
        (0..<side).contains(column) && (0..<side).contains(row) && dark[row * side + column]
    }

    /// The code in a terminal, two modules a character, with what is left light around it.
    ///
    /// - Parameter isColored: Whether the colours can be chosen. Otherwise the terminal has to
    ///   write light on dark.
    /// - Returns: The lines.
    public func lines(isColored: Bool) -> [String] {
        let places = -Self.quietModules..<side + Self.quietModules
        return stride(from: places.lowerBound, to: places.upperBound, by: 2).map { row in
            let marks = places.map { column in
                // What is written is dark on light, or light on dark.
                switch (self[column, row] == isColored, self[column, row + 1] == isColored) {
                case (true, true): "█"
                case (true, false): "▀"
                case (false, true): "▄"
                case (false, false): " "
                }
            }
            return isColored ? "\u{1B}[30;107m\(marks.joined())\u{1B}[0m" : marks.joined()
        }
    }

    /// The dark modules as a path of SVG 2, a module wide each.
    public var path: String {
        var path = ""
        for row in 0..<side {
            var column = 0
            while column < side {
                let run = (column..<side).prefix { self[$0, row] }.count
                if run > 0 { path += "M\(column) \(row)h\(run)v1h-\(run)z" }
                column += max(run, 1)
            }
        }
        return path
    }
}
