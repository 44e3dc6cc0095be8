import Interchange
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
        self.place = place
        self.members = members
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
    mutating func pass(over names: String...) {
        taken.formUnion(names)
    }

    func wrong(_ name: String, _ form: String) -> ScenarioError {
        ScenarioError("\(place).\(name) has to be \(form).")
    }
}

// MARK: - Values

extension ScenarioObject {
    mutating func text(_ name: String) throws(ScenarioError) -> String? {
        switch value(name) {
        case .string(let text): return text
        case nil, .null: return nil
        default: throw wrong(name, "text")
        }
    }

    mutating func flag(_ name: String) throws(ScenarioError) -> Bool? {
        switch value(name) {
        case .bool(let flag): return flag
        case nil: return nil
        default: throw wrong(name, "true or false")
        }
    }

    mutating func integer<Integer: FixedWidthInteger>(
        _ name: String, as type: Integer.Type = Integer.self
    ) throws(ScenarioError) -> Integer? {
        switch value(name) {
        case .number(let number):
            guard let integer = number.integer(as: type) else {
                throw wrong(name, "an integer from \(Integer.min) to \(Integer.max)")
            }
            return integer
        case nil, .null: return nil
        default: throw wrong(name, "a number")
        }
    }

    /// One integer, or an array of them; none if the key is not there.
    mutating func integers(_ name: String) throws(ScenarioError) -> [Int] {
        guard case .array(let elements) = value(name) else {
            return try integer(name).map { [$0] } ?? []
        }
        var integers: [Int] = []
        for element in elements {
            guard case .number(let number) = element, let integer = number.integer(as: Int.self)
            else { throw wrong(name, "a list of integers") }
            integers.append(integer)
        }
        return integers
    }

    /// A number that may have a point.
    mutating func number(_ name: String) throws(ScenarioError) -> Double? {
        guard let value = value(name) else { return nil }
        guard case .number(let number) = value, let double = Double(number.text) else {
            throw wrong(name, "a number")
        }
        return double
    }

    /// A time that is given in seconds, at most a day.
    mutating func milliseconds(_ name: String) throws(ScenarioError) -> UInt64? {
        guard let seconds = try number(name) else { return nil }
        guard (0...86_400).contains(seconds) else {
            throw wrong(name, "a time from 0 to 86400 seconds")
        }
        return UInt64((seconds * 1_000).rounded())
    }

    mutating func uuid(_ name: String) throws(ScenarioError) -> GattUUID? {
        guard let text = try text(name) else { return nil }
        guard let uuid = GattUUID(text) else { throw wrong(name, "a UUID such as 2A37") }
        return uuid
    }

    mutating func bytes(_ name: String) throws(ScenarioError) -> [UInt8]? {
        guard let text = try text(name) else { return nil }
        guard let bytes = HexadecimalBytes(text) else {
            throw wrong(name, "pairs of hexadecimal digits")
        }
        return bytes.bytes
    }

    /// The texts of an array; none if the key is not there.
    mutating func texts(_ name: String) throws(ScenarioError) -> [String] {
        try elements(name).map { (element, place) throws(ScenarioError) in
            guard case .string(let text) = element else {
                throw ScenarioError("\(place) has to be text.")
            }
            return text
        }
    }

    /// One text of hexadecimal digits, or an array of them.
    mutating func listOfBytes(_ name: String) throws(ScenarioError) -> [[UInt8]]? {
        guard case .array(let elements) = value(name) else { return try bytes(name).map { [$0] } }
        var list: [[UInt8]] = []
        for element in elements {
            guard case .string(let text) = element, let bytes = HexadecimalBytes(text) else {
                throw wrong(name, "a list of pairs of hexadecimal digits")
            }
            list.append(bytes.bytes)
        }
        return list
    }

    /// The numbers of an array; none if the key is not there.
    mutating func numbers(_ name: String) throws(ScenarioError) -> [Double] {
        try elements(name).map { (element, place) throws(ScenarioError) in
            guard case .number(let number) = element, let double = Double(number.text) else {
                throw ScenarioError("\(place) has to be a number.")
            }
            return double
        }
    }

    /// The elements of an array, each with its place; none if the key is not there.
    mutating func elements(_ name: String) throws(ScenarioError) -> [(JSONValue, String)] {
        guard let value = value(name) else { return [] }
        return try ScenarioObject.elements(of: value, "\(place).\(name)")
    }

    /// The elements of an array, each with its place.
    static func elements(
        of value: JSONValue, _ place: String
    ) throws(ScenarioError) -> [(JSONValue, String)] {
        guard case .array(let elements) = value else {
            throw ScenarioError("\(place) has to be a list.")
        }
        return elements.enumerated().map { ($1, "\(place)[\($0)]") }
    }

    mutating func object(_ name: String) throws(ScenarioError) -> ScenarioObject? {
        guard let value = value(name) else { return nil }
        return try ScenarioObject(value, "\(place).\(name)")
    }
}
