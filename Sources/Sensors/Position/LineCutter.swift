/// Cuts a stranger's bytes into lines; one that is too long is passed over, to its end.
struct LineCutter {
    /// The most bytes of a line, without its end.
    private let limitBytes: Int
    private var line: [UInt8] = []
    /// Whether the line that is coming is too long.
    private var isTooLong = false

    /// Makes a cutter that has no byte yet.
    init(limitBytes: Int) {
        self.limitBytes = limitBytes
    }

    /// Takes bytes, cut anywhere.
    ///
    /// - Parameters:
    ///   - bytes: What came.
    ///   - body: Gets each line that has come to its end, without line feed and carriage return;
    ///     nil for one that is too long.
    mutating func take(_ bytes: [UInt8], _ body: ([UInt8]?) -> Void) {
        var rest = bytes[...]
        while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
            add(rest[..<end])
            if line.last == UInt8(ascii: "\r") { line.removeLast() }
            body(isTooLong ? nil : line)
            line.removeAll(keepingCapacity: true)
            isTooLong = false
            rest = rest[(end + 1)...]
        }
        add(rest)
    }

    private mutating func add(_ bytes: ArraySlice<UInt8>) {
        guard !isTooLong, line.count + bytes.count <= limitBytes else {
            isTooLong = true
            line.removeAll(keepingCapacity: true)
            return
        }
        line += bytes
    }
}
