public import Events

extension StepsCertifier {
    /// The version of what is carried, and of the rule by which it came about.
    public static let version = 1

    /// What another one needs to go on from here, besides what was carried to an earlier position.
    ///
    /// - Parameter start: That position; of the days those are given that events spoke of since.
    /// - Returns: The bytes; nil if a number is beyond what a log can hold.
    public func carried(since start: Position) -> [UInt8]? {
        var (writer, copy) = (PayloadWriter(), self)
        copy.days.removeAll { $0.lastPosition < start }
        do throws(FieldError) {
            try copy.code(&writer)
            return writer.bytes
        } catch {
            return nil
        }
    }

    /// Goes on from where another one was.
    ///
    /// - Parameter pieces: What ``carried(since:)`` gave at one position after the other.
    /// - Throws: `FieldError` if no certifier has these bytes.
    public init(carried pieces: [[UInt8]]) throws(FieldError) {
        self.init()
        var known = days
        for piece in pieces {
            var reader = PayloadReader(piece.span)
            try code(&reader)
            try reader.finish()
            for day in days {
                let place = places[day.date] ?? known.count
                if place == known.count { known.append(day) } else { known[place] = day }
                places[day.date] = place
            }
        }
        days = known
    }

    /// Goes on from one that has taken in the same and more, but compared nothing on the way, in
    /// which no other count was displayed for a date.
    public mutating func goOn(from later: StepsCertifier, displaying date: CivilDate) {
        let displayed = places[date].map { days[$0].lastDisplayed } ?? 0
        self = later
        if let place = places[date] { days[place].lastDisplayed = displayed }
    }

    private mutating func code(_ coder: inout some FieldCoder) throws(FieldError) {
        try coder(&timeline)
        try coder.signed("zone", &zoneOffsetMinutes, in: FieldRange.zoneOffsetMinutes)
        try coder(&odometers)
        try coder(&choice)
        try coder.byte("stepsPerCadenceCount", &stepsPerCadenceCount, in: 1...2)
        var number = worth.rawValue
        try coder.byte("worth", &number, in: 0...2)
        worth = Worth(rawValue: number) ?? worth
        try coder(&legs)
        try coder(&covered)
        try coder(&today)
        try coder(&note)
        try coder(&days)
    }
}

extension StepsCertifier.Choice: Carried {
    init() { self = .firstRead }

    mutating func code(_ coder: inout some FieldCoder) throws(FieldError) {
        var (isFirst, device): (Bool, DeviceID?) = (false, nil)
        switch self {
        case .firstRead: isFirst = true
        case .device(let chosen): device = chosen
        case .nobody: break
        }
        try coder(&isFirst)
        try coder(&device)
        self = isFirst ? .firstRead : device.map { .device($0) } ?? .nobody
    }
}
