import Events

/// A part of what a certifier carries on from one part of a log to the next.
protocol Carried {
    /// A blank one, which is read into.
    init()
    /// Passes on all that it holds, in order.
    mutating func carry(_ carrier: inout Carrier)
}

/// Takes what is carried in its order, and writes or reads each: numbers as zigzag varints, lists
/// after their count, what can be absent after 0 or 1.
///
/// It is no code of the fold's, as nothing here is.
struct Carrier {
    private(set) var bytes: [UInt8]
    /// Where the next number is read; nil while they are written.
    private var offset: Int?
    /// Whether all so far could be carried; if not, none of it may be used.
    private(set) var isIntact = true

    /// Begins to write, or to read bytes.
    init(reading bytes: [UInt8]? = nil) {
        self.bytes = bytes ?? []
        offset = bytes.map { _ in 0 }
    }

    /// How many bytes are left to be read; nil while they are written.
    var left: Int? { offset.map { bytes.count - $0 } }

    /// A condition that all that is carried fulfils.
    mutating func require(_ condition: Bool) {
        if !condition { isIntact = false }
    }

    /// Writes a number, or reads one instead; no sum of a few is too great.
    mutating func number(_ value: Int64) -> Int64 {
        var number = value
        if var next = offset {
            number = bytes.span.varint(at: &next).map(unzigzag) ?? .max
            offset = next
        } else {
            bytes.appendVarint(zigzag(value))
        }
        require(number.magnitude <= 1 << 60)
        return isIntact ? number : 0
    }

    /// A number that can be less than none.
    mutating func signed(_ value: inout some FixedWidthInteger) {
        let number = number(Int64(clamping: value))
        value = type(of: value).init(clamping: number)
        require(value == number)
    }

    mutating func callAsFunction(_ a: inout some Carried) { a.carry(&self) }

    mutating func callAsFunction(_ a: inout some Carried, _ b: inout some Carried) {
        a.carry(&self)
        b.carry(&self)
    }

    mutating func callAsFunction(
        _ a: inout some Carried, _ b: inout some Carried, _ c: inout some Carried
    ) {
        self(&a, &b)
        c.carry(&self)
    }

    mutating func callAsFunction(
        _ a: inout some Carried, _ b: inout some Carried, _ c: inout some Carried,
        _ d: inout some Carried
    ) {
        self(&a, &b)
        self(&c, &d)
    }
}

// MARK: - What is carried

extension Carried where Self: FixedWidthInteger {
    mutating func carry(_ carrier: inout Carrier) { carrier.signed(&self) }
}

extension UInt8: Carried {}
extension UInt32: Carried {}
extension UInt64: Carried {}
extension Int: Carried {}
extension Int64: Carried {}

/// Steps and what they are made of are never less than none.
extension Int128: Carried {
    mutating func carry(_ carrier: inout Carrier) {
        carrier.signed(&self)
        carrier.require(self >= 0)
        self = Swift.max(0, self)
    }
}

extension Bool: Carried {
    mutating func carry(_ carrier: inout Carrier) {
        self = carrier.number(self ? 1 : 0) == 1
    }
}

extension Optional: Carried where Wrapped: Carried {
    init() { self = nil }

    mutating func carry(_ carrier: inout Carrier) {
        var isPresent = self != nil
        carrier(&isPresent)
        if carrier.left != nil { self = isPresent ? Wrapped() : nil }
        self?.carry(&carrier)
    }
}

extension Array: Carried where Element: Carried {
    mutating func carry(_ carrier: inout Carrier) {
        var count = count
        carrier(&count)
        if let left = carrier.left {
            carrier.require((0...left).contains(count))
            self = Array(repeating: Element(), count: carrier.isIntact ? count : 0)
        }
        for index in indices { self[index].carry(&carrier) }
    }
}

extension String: Carried {
    mutating func carry(_ carrier: inout Carrier) {
        var bytes = Array(utf8)
        carrier(&bytes)
        self = String(decoding: bytes, as: UTF8.self)
    }
}

extension DeviceID: Carried {
    init() { self = .blank }

    mutating func carry(_ carrier: inout Carrier) {
        var number = word
        carrier(&number)
        self = DeviceID(word: number) ?? self
    }
}

extension CivilDate: Carried {
    init() { self = .epoch }

    mutating func carry(_ carrier: inout Carrier) {
        var days = daysSinceEpoch
        carrier(&days)
        self = CivilDate(daysSinceEpoch: days) ?? self
    }
}

extension Reporter: Carried {
    init() { self.init(.unknown) }

    mutating func carry(_ carrier: inout Carrier) {
        var (kind, name) = (kind.rawValue, name)
        carrier(&kind, &name)
        self = Reporter(Kind(rawValue: kind) ?? .unknown, named: name)
    }
}

extension Certificate.Claim: Carried {
    init() { self.init(position: 0, total: 0) }

    mutating func carry(_ carrier: inout Carrier) {
        var (position, total, reporter) = (position, total, reporter)
        carrier(&position, &total, &reporter)
        self = Certificate.Claim(position: position, total: total, reporter: reporter)
    }
}
