internal import CampaignRuns

/// A call of the system that a program made, as a line of strace tells it.
struct TracedCall {
    let name: String
    /// The arguments as strace writes them; strings are in quotes, bytes in hexadecimal digits.
    let arguments: [ArraySlice<UInt8>]
    /// What the call returned; negative if it failed.
    let result: Int

    /// Reads the calls of a trace, in the order in which they returned.
    ///
    /// - Parameter trace: What `strace -f -v -xx -qq -e signal=none` has written.
    /// - Returns: The calls.
    /// - Throws: ``CampaignError`` with a line that is not understood.
    static func calls(of trace: [UInt8]) throws(CampaignError) -> [TracedCall] {
        // How a call ends that another thread's interrupted, or that its own did not live to see
        // return: strace may not even know its name, and writes `???( <detached ...>`.
        let endings = [Array(" <unfinished ...>".utf8), Array(" <detached ...>".utf8)]
        // The beginnings of such calls.
        var begun: [ArraySlice<UInt8>: [UInt8]] = [:]
        var calls: [TracedCall] = []
        for line in trace.split(separator: UInt8(ascii: "\n")) {
            guard let space = line.firstIndex(of: UInt8(ascii: " ")) else { continue }
            let thread = line[..<space]
            let words = line[space...].drop { $0 == UInt8(ascii: " ") }
            if words.starts(with: "+++".utf8) || words.starts(with: "---".utf8) { continue }
            if let ending = endings.first(where: { words.suffix($0.count).elementsEqual($0) }) {
                begun[thread] = Array(words.dropLast(ending.count))
            } else if words.starts(with: "<... ".utf8) {
                guard let start = begun.removeValue(forKey: thread),
                    let end = words.firstIndex(of: UInt8(ascii: ">"))
                else { throw misunderstood(line) }
                calls.append(try TracedCall((start + words[(end + 1)...])[...]))
            } else {
                calls.append(try TracedCall(words))
            }
        }
        return calls
    }

    private init(_ words: ArraySlice<UInt8>) throws(CampaignError) {
        guard let open = words.firstIndex(of: UInt8(ascii: "(")),
            let equals = words.lastIndex(of: UInt8(ascii: "=")),
            let close = words[..<equals].lastIndex(of: UInt8(ascii: ")")), open < close
        else { throw Self.misunderstood(words) }
        name = String(decoding: words[..<open], as: UTF8.self)
        arguments = Self.split(words[(open + 1)..<close])
        let result = words[(equals + 1)...].split(separator: UInt8(ascii: " ")).first ?? []
        let text = String(decoding: result, as: UTF8.self)
        // A call that never returned has no number; an address has another base.
        self.result = Int(text) ?? (text.hasPrefix("0x") ? 0 : -1)
    }

    /// Splits arguments at the commas that are in no brackets.
    private static func split(_ text: ArraySlice<UInt8>) -> [ArraySlice<UInt8>] {
        var parts: [ArraySlice<UInt8>] = []
        var depth = 0
        var start = text.startIndex
        for index in text.indices {
            switch text[index] {
            case UInt8(ascii: "["), UInt8(ascii: "{"), UInt8(ascii: "("): depth += 1
            case UInt8(ascii: "]"), UInt8(ascii: "}"), UInt8(ascii: ")"): depth -= 1
            case UInt8(ascii: ",") where depth == 0:
                parts.append(text[start..<index])
                start = index + 1
            default: break
            }
        }
        if start < text.endIndex { parts.append(text[start...]) }
        return parts.map { $0.drop { $0 == UInt8(ascii: " ") } }
    }

    private static func misunderstood(_ words: ArraySlice<UInt8>) -> CampaignError {
        let text = String(decoding: words.prefix(200), as: UTF8.self)
        return CampaignError(description: "no line of strace: \(text)")
    }

    // MARK: - Arguments

    /// An argument as strace writes it; empty if there is none.
    func text(_ index: Int) -> String {
        arguments.indices.contains(index) ? String(decoding: arguments[index], as: UTF8.self) : ""
    }

    /// An argument that is a number.
    func number(_ index: Int) throws(CampaignError) -> Int {
        guard let number = Int(text(index)) else {
            throw CampaignError(description: "\(name): argument \(index) is no number")
        }
        return number
    }

    /// All bytes of the strings of an argument, one after the other.
    func bytes(_ index: Int) throws(CampaignError) -> [UInt8] {
        guard arguments.indices.contains(index) else { return [] }
        let argument = arguments[index]
        var bytes: [UInt8] = []
        var place = argument.startIndex
        var isInside = false
        while place < argument.endIndex {
            let byte = argument[place]
            if byte == UInt8(ascii: "\"") {
                isInside.toggle()
                place += 1
            } else if isInside {
                // `\x` and two digits.
                guard byte == UInt8(ascii: "\\"), place + 3 < argument.endIndex,
                    let high = Character(UnicodeScalar(argument[place + 2])).hexDigitValue,
                    let low = Character(UnicodeScalar(argument[place + 3])).hexDigitValue
                else { throw Self.misunderstood(argument) }
                bytes.append(UInt8(high << 4 | low))
                place += 4
            } else {
                // What strace has cut off.
                guard byte != UInt8(ascii: ".") else { throw Self.misunderstood(argument) }
                place += 1
            }
        }
        return bytes
    }

    /// A path.
    func path(_ index: Int) throws(CampaignError) -> String {
        String(decoding: try bytes(index), as: UTF8.self)
    }
}
