/// Reads the lines of a log, of which one may name what the next ones hold.
struct LogReader {
    /// What a line says.
    enum Finding {
        case value(LoggedValue)
        /// A handle, or all handles of a service, and what it is.
        case declaration(AttributeType, ClosedRange<UInt16>)
        /// A value that cannot be read.
        case unreadable
    }

    /// The handle of the characteristic that bluetoothctl has named by its path last.
    private var named: UInt16?
    /// The handle whose value the next lines dump, and what was dumped of it.
    private var dumped: (handle: UInt16?, bytes: [UInt8])?
    /// Whether hcidump shows a notification, and of which handle.
    private var isNotified = false
    private var notified: UInt16?
    /// The time of the packet that hcidump shows.
    private var time: TextTime?

    /// Takes the next line, without colours.
    ///
    /// - Returns: What it says, or what the lines before it did that it ends.
    mutating func take(_ line: String) -> [Finding] {
        let text = line[...].drop { " \t".contains($0) }
        if let bytes = dumped?.bytes {
            if let more = Self.dump(text), bytes.count < 512 {
                dumped?.bytes += more
                return []
            }
            return finish() + take(line)
        }
        if let finding = declaration(text) { return [finding] }
        if let finding = hcidump(text) { return [finding] }
        if let path = Self.path(in: text) {
            named = path
            if text.hasSuffix("Value:") { dumped = (path, []) }
            return []
        }
        switch LoggedValue.read(line) {
        case .value(let value): return [.value(value)]
        case .unreadable: return [.unreadable]
        case .nothing: return []
        }
    }

    /// Says that no line follows.
    mutating func finish() -> [Finding] {
        defer { dumped = nil }
        guard let dumped else { return [] }
        guard !dumped.bytes.isEmpty else { return [.unreadable] }
        return [.value(LoggedValue(handle: dumped.handle, bytes: dumped.bytes))]
    }

    // MARK: - bluetoothctl

    /// The handle in a path, `/org/bluez/hci0/dev_…/service000e/char000f`.
    private static func path(in text: Substring) -> UInt16? {
        guard let place = text.firstRange(of: "/char") else { return nil }
        let digits = text[place.upperBound...].prefix { $0.isHexDigit }
        return digits.count == 4 ? UInt16(digits, radix: 16) : nil
    }

    /// A line of a dump: bytes, then two blanks and the same as text.
    private static func dump(_ text: Substring) -> [UInt8]? {
        let digits = text.firstRange(of: "  ").map { text[..<$0.lowerBound] } ?? text
        let words = digits.split(separator: " ")
        guard !words.isEmpty, words.count <= 16, words.allSatisfy({ $0.count == 2 }) else {
            return nil
        }
        return ValueText(digits)?.bytes
    }

    // MARK: - What is what

    /// gatttool's `handle: 0x0010, uuid: 2a37`, with the value's handle or the service's last one,
    /// hcidump's `handle 0x0010, uuid 2a37`, and the UUID below a path of bluetoothctl.
    private mutating func declaration(_ text: Substring) -> Finding? {
        if let named, text.count == 36, let type = AttributeType(text: text) {
            self.named = nil
            return .declaration(type, named...named)
        }
        guard let place = text.firstRange(of: "uuid"), text.contains("handle") else { return nil }
        let digits = text[place.upperBound...].drop { " :=".contains($0) }
            .prefix { $0.isHexDigit || $0 == "-" || $0 == "x" }
        // What follows may be a value, which the line is about then.
        let isLast = text[digits.endIndex...].allSatisfy { " \t".contains($0) }
        guard isLast,
            let type = AttributeType(text: digits.hasPrefix("0x") ? digits.dropFirst(2) : digits)
        else { return nil }
        let handles = text[..<place.lowerBound].split(separator: ",").compactMap { part in
            part.firstRange(of: "handle").flatMap { name in
                LoggedValue.number(part[name.upperBound...].drop { " :=".contains($0) })
            }
        }
        guard let first = handles.first, let last = handles.last, first <= last else { return nil }
        // A characteristic's declaration names its own handle and then that of its value.
        return .declaration(type, text.contains("end grp") ? first...last : last...last)
    }

    // MARK: - hcidump

    /// `ATT: Handle notify (0x1b)`, then a line `handle 0x0010` and one `value 0x16 0x48`.
    private mutating func hcidump(_ text: Substring) -> Finding? {
        if text.hasPrefix("> ACL") || text.hasPrefix("< ACL") || text.contains(" > ACL data") {
            (isNotified, notified) = (false, nil)
            time = TextTime(in: text)
        } else if text.hasPrefix("ATT: ") {
            isNotified = text.contains("Handle notify") || text.contains("Handle indicate")
        } else if isNotified, text.hasPrefix("handle ") {
            notified = LoggedValue.number(text.dropFirst(7).drop { $0 == " " })
        } else if isNotified, text.hasPrefix("value ") {
            isNotified = false
            guard let read = ValueText(text.dropFirst(6)), !read.bytes.isEmpty else {
                return .unreadable
            }
            return .value(LoggedValue(handle: notified, time: time, bytes: read.bytes))
        }
        return nil
    }
}
