extension EventKind {
    /// The name of each number, nil where this version knows none.
    ///
    /// The table of events says which kinds there are: to write a blank event changes nothing of
    /// it, and gives nil for any other number.
    private static let namesByNumber: [String?] = (UInt8.min...UInt8.max).map { number in
        var writer = PayloadWriter()
        do throws(FieldError) {
            let blank = try Event(kind: EventKind(rawValue: number), fields: &writer)
            return blank?.payloadType?.name
        } catch {
            preconditionFailure("A blank payload is within its limits: \(error)")
        }
    }

    /// The kinds that this version knows, in the order of their numbers.
    public static let known: [EventKind] = (UInt8.min...UInt8.max).map(EventKind.init(rawValue:))
        .filter { $0.name != nil }

    /// The name in the record format, or nil for a number that this version does not know.
    public var name: String? { EventKind.namesByNumber[Int(rawValue)] }

    /// Makes the kind of a name, or nil if this version does not know it.
    ///
    /// - Parameter name: The name, compared byte by byte.
    public init?(name: String) {
        let match = EventKind.known.first { kind in
            kind.name.map { $0.utf8.elementsEqual(name.utf8) } ?? false
        }
        guard let match else { return nil }
        self = match
    }
}
