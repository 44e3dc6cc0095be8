internal import Events

/// What `btmon` prints of one packet: a heading with its time, and lines that are indented below
/// it.
struct BtmonBlock {
    private var times: TimeLine
    private var microseconds: Int64?
    private var isReceived = false
    /// Whether the packet is a notification.
    private var isNotification = false
    /// Whether it lists what attributes are.
    private var isDeclaring = false
    private var handles: ClosedRange<UInt16>?

    init(_ times: StatedTimes) {
        self.times = TimeLine(times)
    }

    /// Whether a line is a packet's heading, such as `> ACL Data RX: Handle 64 … #1 [hci0] 5.1`.
    static func isHeading(_ line: Substring) -> Bool {
        guard let first = line.first(where: { !" \t".contains($0) }), "<>@=".contains(first)
        else { return false }
        return line.contains("[hci")
    }

    /// Takes the next line.
    mutating func take(_ line: String, _ traffic: inout Traffic<some Observer>) {
        let text = line[...]
        if Self.isHeading(text) {
            let written = TextTime(in: text, isLast: true).map { times.utc($0) }
            microseconds = written?.microseconds
            if let gap = written?.gap { traffic.observer.unknown(gap) }
            isReceived = text.drop { " \t".contains($0) }.hasPrefix(">")
            (isNotification, isDeclaring, handles) = (false, false, nil)
            traffic.observer.packet(at: microseconds)
        } else if let name = Self.value(of: "ATT", text) {
            isNotification =
                name.hasPrefix("Handle Value Notification")
                || name.hasPrefix("Handle Value Indication")
            isDeclaring = name.contains("Response")
            handles = nil
        } else if let range = Self.value(of: "Handle range", text) {
            let ends = range.split(separator: "-").compactMap(Self.handle)
            handles = ends.count == 2 && ends[0] <= ends[1] ? ends[0]...ends[1] : nil
        } else if let handle = Self.value(of: "Handle", text).flatMap(Self.handle) {
            handles = handle...handle
            // Newer versions know what they print of.
            if isNotification, let type = Self.type(text) { declare(type, &traffic) }
        } else if isDeclaring, Self.value(of: "UUID", text) != nil, let type = Self.type(text) {
            declare(type, &traffic)
        } else if isDeclaring, let value = Self.value(of: "Value", text) {
            takeDeclaration(value, &traffic)
        } else if isNotification, isReceived, let handle = handles?.lowerBound,
            let data = Self.value(of: "Data", text)
        {
            guard let value = ValueText(data) else { return traffic.observer.loss(.line) }
            traffic.takeLogged(LoggedValue(handle: handle, bytes: value.bytes))
            isNotification = false
        }
    }

    private func declare(_ type: AttributeType, _ traffic: inout Traffic<some Observer>) {
        guard let handles else { return }
        traffic.withTable(of: TextReader.device) { $0.declare(type, at: handles) }
    }

    /// A characteristic's declaration: properties, the value's handle, UUID.
    private func takeDeclaration(
        _ value: Substring, _ traffic: inout Traffic<some Observer>
    ) {
        guard let bytes = ValueText(value)?.bytes, bytes.count == 5 || bytes.count == 19,
            let declaration = handles?.lowerBound
        else { return }
        let span = bytes.span
        let handle = span.littleEndian16(at: 1)
        guard handle > declaration else { return }
        traffic.withTable(of: TextReader.device) {
            $0.declare(AttributeType(uuid: span.extracting(droppingFirst: 3)), at: handle)
        }
    }

    // MARK: - Parts of a line

    /// What comes after a name and a colon, with or without a count: `Data: 1648`, `Data[2]:
    /// 1648`.
    private static func value(of name: String, _ line: Substring) -> Substring? {
        let text = line.drop { " \t".contains($0) }
        guard text.hasPrefix(name), let colon = text.firstIndex(of: ":") else { return nil }
        let between = text[..<colon].dropFirst(name.count)
        guard between.isEmpty || between.first == "[" else { return nil }
        return text[text.index(after: colon)...].drop { $0 == " " }
    }

    private static func handle(_ text: Substring) -> UInt16? {
        guard text.hasPrefix("0x") else { return nil }
        return UInt16(text.dropFirst(2).prefix { $0.isHexDigit }, radix: 16)
    }

    /// The UUID in the last brackets of a line: `UUID: Heart Rate Measurement (0x2a37)`.
    private static func type(_ line: Substring) -> AttributeType? {
        guard let open = line.lastIndex(of: "("), line.hasSuffix(")") else { return nil }
        let inside = line[line.index(after: open)...].dropLast()
        return AttributeType(text: inside.hasPrefix("0x") ? inside.dropFirst(2) : inside)
    }
}

extension Traffic {
    /// Takes a value of a text.
    mutating func takeLogged(_ value: LoggedValue) {
        let device = TextReader.device
        if let handle = value.handle, let type = value.type {
            withTable(of: device) { $0.declare(type, at: handle) }
        }
        var code: CharacteristicCode?
        if let handle = value.handle {
            guard !isForeign(handle, of: device) else { return }
            code =
                assignments[handle]
                ?? tables[device]?.characteristic(at: handle, isNotified: true)
        } else if case .value(let known) = value.type {
            code = known
        } else if value.type == nil {
            // A list of values without any name is one of heart rates.
            code = .heartRateMeasurement
        } else {
            return
        }
        observer.value(
            ObservedValue(
                device: device, handle: value.handle ?? 0, characteristic: code, isNotified: true,
                isSent: false),
            value.bytes.span)
    }
}
