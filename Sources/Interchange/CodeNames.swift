internal import Events

/// The names of codes as bytes, taken from their types once.
///
/// To ask a case for its name costs more than the rest of its line.
struct CodeNames: Sendable {
    private struct Table: Sendable {
        let type: ObjectIdentifier
        let names: NameTable
    }

    private var tables: [Table] = []

    /// The name of a code.
    mutating func name<Code: CodedName>(of code: Code) -> [UInt8] {
        // Each case has a name.
        let index = index(of: Code.self)
        return tables[index].names.name(of: code.rawValue) ?? []
    }

    /// The names of a set.
    mutating func table<Code: CodedName>(of type: Code.Type) -> NameTable {
        let index = index(of: type)
        return tables[index].names
    }

    private mutating func index<Code: CodedName>(of type: Code.Type) -> Int {
        let identifier = ObjectIdentifier(type)
        for index in tables.indices where tables[index].type == identifier { return index }
        let names = NameTable(type.allCases.map { ($0.rawValue, $0.name) })
        tables.append(Table(type: identifier, names: names))
        return tables.count - 1
    }
}

/// Some names, each with the byte that it stands for.
struct NameTable: Sendable {
    /// The kinds of events that this version knows.
    static let kinds = NameTable(EventKind.known.map { ($0.rawValue, $0.name ?? "") })

    private let numbers: [UInt8]
    private let names: [[UInt8]]
    /// Where the name of each number stands, or -1.
    private let places: [Int8]

    /// Makes a table of at most 128 names.
    init(_ pairs: [(number: UInt8, name: String)]) {
        numbers = pairs.map(\.number)
        names = pairs.map { Array($0.name.utf8) }
        var places = [Int8](repeating: -1, count: 256)
        for (place, number) in numbers.enumerated() { places[Int(number)] = Int8(place) }
        self.places = places
    }

    /// The name of a number, or nil if it has none.
    func name(of number: UInt8) -> [UInt8]? {
        let place = Int(places[Int(number)])
        return place < 0 ? nil : names[place]
    }

    /// The number of a name, or nil if none has it.
    func number(of name: String) -> UInt8? {
        let place = names.firstIndex {
            $0.count == name.utf8.count && name.utf8.elementsEqual($0)
        }
        return place.map { numbers[$0] }
    }
}
