import Events
import Interchange
import Projections
import Testing

/// Writes FIT files as watches of others do, message by message; times are seconds since nine.
struct FITMaker {
    /// The value of a field, in the type in which it is written.
    enum Value {
        case byte(UInt8)
        case word(UInt32)
        case signed(Int32)
        case bytes([UInt8])

        fileprivate var code: (type: UInt8, bytes: [UInt8]) {
            switch self {
            case .byte(let byte): (2, [byte])
            case .word(let word): (0x86, FITCodecTests.little(word))
            case .signed(let number): (0x85, FITCodecTests.little(UInt32(bitPattern: number)))
            case .bytes(let bytes): (0x0D, bytes)
            }
        }
    }

    private var messages: [UInt8] = []
    /// What the device's clock is ahead, in seconds.
    var ahead: Int64 = 0

    /// A file that a closure fills.
    init(_ fill: (inout FITMaker) -> Void) { fill(&self) }

    var bytes: [UInt8] { FITCodecTests.file(messages) }

    func time(_ second: Int64) -> UInt32 {
        UInt32(Int64(FITCodecTests.second) + second + ahead)
    }

    mutating func add(_ number: UInt8, _ fields: [(UInt8, Value)]) {
        messages += [0x40, 0, 0, number, 0, UInt8(fields.count)]
        for (field, value) in fields {
            messages += [field, UInt8(value.code.bytes.count), value.code.type]
        }
        messages.append(0)
        for (_, value) in fields { messages += value.code.bytes }
    }

    mutating func record(_ second: Int64, _ fields: [(UInt8, Value)] = [(3, .byte(100))]) {
        add(20, [(253, .word(time(second)))] + fields)
    }

    /// Records each some seconds, of which each has a heart rate and a distance in metres.
    mutating func records(
        _ seconds: ClosedRange<Int64>, each step: Int64 = 5, from metres: Double = 0,
        speed: Double = 1.5, cycles: ((Int64) -> UInt32)? = nil
    ) {
        for second in stride(from: seconds.lowerBound, through: seconds.upperBound, by: Int(step)) {
            let distance = metres + Double(second - seconds.lowerBound) * speed
            var fields: [(UInt8, Value)] = [
                (3, .byte(100)), (5, .word(UInt32(distance * 100))),
            ]
            if let cycles { fields.append((19, .word(cycles(second)))) }
            record(second, fields)
        }
    }

    mutating func timer(_ second: Int64, _ type: UInt8) {
        add(21, [(253, .word(time(second))), (0, .byte(0)), (1, .byte(type))])
    }

    /// A session, or a lap; of strides two are a step each.
    mutating func sum(
        _ start: Int64, elapsed: UInt32, active: UInt32? = nil, saved: Int64? = nil,
        sport: UInt8 = 1, strides: UInt32? = nil, metres: UInt32? = nil, of number: UInt8 = 18
    ) {
        var fields: [(UInt8, Value)] = [
            (253, .word(time(saved ?? start + Int64(elapsed)))), (2, .word(time(start))),
            (7, .word(elapsed * 1_000)), (number == 18 ? 5 : 25, .byte(sport)),
        ]
        if let active { fields.append((8, .word(active * 1_000))) }
        if let metres { fields.append((9, .word(metres * 100))) }
        if let strides { fields.append((10, .word(strides))) }
        add(number, fields)
    }

    mutating func lap(
        _ start: Int64, elapsed: UInt32, active: UInt32? = nil, strides: UInt32? = nil,
        metres: UInt32? = nil
    ) {
        sum(start, elapsed: elapsed, active: active, strides: strides, metres: metres, of: 19)
    }
}

/// The figures of a walk, in seconds since nine, seconds, steps and millimetres.
struct Figures: Equatable, CustomStringConvertible {
    var start: Double
    var elapsed: Double
    var active: Double
    var steps: UInt64 = 0
    var millimetres: UInt64?
    var samples: UInt64 = 0

    init(
        _ start: Double, _ elapsed: Double, _ active: Double, steps: UInt64 = 0,
        millimetres: UInt64? = nil, samples: UInt64 = 0
    ) {
        (self.start, self.elapsed, self.active) = (start, elapsed, active)
        (self.steps, self.millimetres, self.samples) = (steps, millimetres, samples)
    }

    init(_ report: SessionReport) {
        start = Double(report.startedAtMilliseconds - nineOClock) / 1_000
        elapsed = Double(report.elapsedMilliseconds) / 1_000
        active = Double(report.activeMilliseconds) / 1_000
        (steps, millimetres) = (report.steps, report.distanceMillimetres)
        samples = UInt64(report.heartRate.samples)
    }

    var description: String {
        let distance = millimetres.map { "\($0) mm" } ?? "no distance"
        return "\(start) \(elapsed)/\(active) s, \(steps) steps, \(distance), \(samples)"
    }
}

/// A file that is made, and the walks that are in it.
struct FiguresOfFile: CustomTestStringConvertible {
    let name: String
    let format: WalkFileFormat
    let bytes: [UInt8]
    let figures: [Figures]
    let leftOut: [String]

    var testDescription: String { name }

    init(
        _ name: String, _ figures: [Figures], leftOut: [String] = [],
        _ fill: (inout FITMaker) -> Void
    ) {
        (self.name, self.figures, self.leftOut) = (name, figures, leftOut)
        (format, bytes) = (.fit, FITMaker(fill).bytes)
    }

    init(_ name: String, _ format: WalkFileFormat, _ text: String, _ figures: [Figures]) {
        (self.name, self.format, bytes) = (name, format, Array(text.utf8))
        (self.figures, leftOut) = (figures, [])
    }

    /// Expects that reading gives the figures, and leaves out what it names.
    func expect(_ times: StatedTimes = StatedTimes()) {
        let (facts, damage) = readWalks(format, bytes, times)
        #expect(damage == nil)
        #expect(sessions(facts).map { Figures($0) } == figures)
        #expect(facts.leftOut.map(\.what) == leftOut)
    }
}
