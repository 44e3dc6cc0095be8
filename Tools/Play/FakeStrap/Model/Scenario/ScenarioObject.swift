import BluetoothCentral
import JSON

/// An object of a scenario file, read key by key; a key that nobody asked for is an error.
struct ScenarioObject {
    /// Where it stands in the file, for people: `devices[0].play[2]`.
    let place: String
    private let members: [JSONMember]
    private var taken: Set<String> = []

    init(_ value: JSONValue, _ place: String) throws(ScenarioError) {
        guard case .object(let members) = value else {
            throw ScenarioError("\(place) has to be an object.")
        }
        (self.place, self.members) = (place, members)
    }

    /// The keys, in the order of the file.
    var names: [String] { members.map(\.name) }

    /// Whether all keys were asked for.
    var isRead: Bool { members.allSatisfy { taken.contains($0.name) } }

    func has(_ name: String) -> Bool { members.contains { $0.name == name } }

    /// The value of a key, or nil if it is not there.
    mutating func value(_ name: String) -> JSONValue? {
        taken.insert(name)
        return members.first { $0.name == name }?.value
    }

    /// Ends the reading.
    ///
    /// - Throws: ``ScenarioError`` if there is a key that was not asked for.
    func finish() throws(ScenarioError) {
        guard let stranger = members.first(where: { !taken.contains($0.name) }) else { return }
        throw ScenarioError("\(place) has an unknown key: \(stranger.name).")
    }

    /// Reads keys that mean something to a radio and nothing on the bus.
    mutating func pass(over names: String...) { taken.formUnion(names) }

    func wrong(_ name: String, _ form: String) -> ScenarioError {
        ScenarioError("\(place).\(name) has to be \(form).")
    }
}

// MARK: - Values

extension ScenarioObject {
    /// Reads a value, or gives nil if the key is not there, or null.
    private mutating func read<Content>(
        _ name: String, _ form: String, _ open: (JSONValue) -> Content?
    ) throws(ScenarioError) -> Content? {
        guard let value = value(name), value != .null else { return nil }
        guard let content = open(value) else { throw wrong(name, form) }
        return content
    }

    /// Reads the elements of a list; none if the key is not there.
    private mutating func list<Content>(
        _ name: String, _ form: String, _ open: (JSONValue) -> Content?
    ) throws(ScenarioError) -> [Content] {
        try elements(name).map { (element, place) throws(ScenarioError) in
            guard let content = open(element) else {
                throw ScenarioError("\(place) has to be \(form).")
            }
            return content
        }
    }

    /// Reads a list, or what could be its only element.
    private mutating func oneOrMore<Content>(
        _ name: String, _ form: String, _ open: (JSONValue) -> Content?
    ) throws(ScenarioError) -> [Content]? {
        if value(name)?.elements != nil { return try list(name, form, open) }
        return try read(name, form, open).map { [$0] }
    }

    mutating func text(_ name: String) throws(ScenarioError) -> String? {
        try read(name, "text", \.text)
    }

    /// One of some words; gives what it stands for.
    mutating func word<Meaning>(
        _ name: String, _ words: KeyValuePairs<String, Meaning>
    ) throws(ScenarioError) -> Meaning? {
        try read(name, words.map(\.key).joined(separator: " or ")) { value in
            words.first { $0.key == value.text }?.value
        }
    }

    mutating func flag(_ name: String) throws(ScenarioError) -> Bool? {
        try read(name, "true or false") { if case .bool(let flag) = $0 { flag } else { nil } }
    }

    mutating func integer<Integer: FixedWidthInteger>(
        _ name: String, as type: Integer.Type = Integer.self
    ) throws(ScenarioError) -> Integer? {
        try read(name, "an integer from \(Integer.min) to \(Integer.max)") {
            $0.integer(as: type)
        }
    }

    /// A number that may have a point.
    mutating func number(_ name: String) throws(ScenarioError) -> Double? {
        try read(name, "a number", \.double)
    }

    /// A time that is given in seconds, at most a day.
    mutating func milliseconds(_ name: String) throws(ScenarioError) -> UInt64? {
        try read(name, "a time from 0 to 86400 seconds") { value in
            guard let seconds = value.double, (0...86_400).contains(seconds) else { return nil }
            return UInt64((seconds * 1_000).rounded())
        }
    }

    mutating func uuid(_ name: String) throws(ScenarioError) -> BluetoothUUID? {
        try read(name, "a UUID such as 2A37") { $0.text.flatMap { BluetoothUUID($0) } }
    }

    mutating func bytes(_ name: String) throws(ScenarioError) -> [UInt8]? {
        try read(name, "pairs of hexadecimal digits", \.bytes)
    }

    /// One integer, or a list of them; none if the key is not there.
    mutating func integers(_ name: String) throws(ScenarioError) -> [Int] {
        try oneOrMore(name, "an integer") { $0.integer(as: Int.self) } ?? []
    }

    mutating func texts(_ name: String) throws(ScenarioError) -> [String] {
        try list(name, "text", \.text)
    }

    /// One text of hexadecimal digits, or a list of them.
    mutating func listOfBytes(_ name: String) throws(ScenarioError) -> [[UInt8]]? {
        try oneOrMore(name, "pairs of hexadecimal digits", \.bytes)
    }

    mutating func uuids(_ name: String) throws(ScenarioError) -> [BluetoothUUID] {
        try list(name, "a UUID such as 180D") { $0.text.flatMap { BluetoothUUID($0) } }
    }

    mutating func numbers(_ name: String) throws(ScenarioError) -> [Double] {
        try list(name, "a number", \.double)
    }

    /// The elements of a list, each with its place; none if the key is not there.
    mutating func elements(_ name: String) throws(ScenarioError) -> [(JSONValue, String)] {
        guard let value = value(name) else { return [] }
        return try ScenarioObject.elements(of: value, "\(place).\(name)")
    }

    /// The elements of a list, each with its place.
    static func elements(
        of value: JSONValue, _ place: String
    ) throws(ScenarioError) -> [(JSONValue, String)] {
        guard let elements = value.elements else {
            throw ScenarioError("\(place) has to be a list.")
        }
        return elements.enumerated().map { ($1, "\(place)[\($0)]") }
    }

    mutating func object(_ name: String) throws(ScenarioError) -> ScenarioObject? {
        guard let value = value(name) else { return nil }
        return try ScenarioObject(value, "\(place).\(name)")
    }
}

extension JSONValue {
    fileprivate var double: Double? {
        if case .number(let number) = self { Double(number.text) } else { nil }
    }

    fileprivate var bytes: [UInt8]? { text.flatMap { [UInt8](hexadecimal: $0) } }
}
