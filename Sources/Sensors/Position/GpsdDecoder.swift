package import Events

/// What gpsd sends, as a value: bytes in, fixes out, no clock and no connection.
///
/// Whatever the bytes are, nothing is kept but one line, one fix and a few numbers. Two traps of
/// gpsd 3.22: the first report may say mode 3 without coordinates, and each epoch is reported
/// several times with the same time.
package struct GpsdDecoder {
    /// What there is to tell.
    package enum Report: Hashable, Sendable {
        /// It is gpsd that speaks.
        case greeted
        /// So many receivers are connected to it.
        case receivers(Int)
        /// A receiver was unplugged, or is there again.
        case receiver(isActive: Bool)
        /// So many satellites are used from now on, with or without a fix; nil if that is not given
        /// any more.
        case satellites(UInt64?)
        /// Heights are off by so much from now on.
        case heightError(UInt64)
        /// A fix, once for each time.
        case fix(PositionFixed)
        /// So many fixes were left out: they came faster than any receiver determines them.
        case leftOut(UInt64)
    }

    /// The most bytes of a line: 16 KiB, thrice what a sky of forty satellites takes.
    package static let lineLimitBytes = 16 * 1_024
    /// What a receiver told counts for 10 s; then another one may speak.
    private static let freshMilliseconds: UInt64 = 10_000

    /// Lines that were too long, or no JSON of gpsd's.
    package private(set) var unreadableCount: UInt64 = 0

    /// Whether gpsd has said that it is that.
    private(set) var isGreeted = false
    /// Whether there was a fix.
    private(set) var hasFix = false

    private var cutter = LineCutter(limitBytes: lineLimitBytes)
    private var epochs = FixEpochs()
    private var rate = FixRate()
    /// The receiver whose fixes are taken, and when the last one came: those of several would make
    /// a zigzag.
    private var receiver: (device: String, at: UInt64)?
    /// The satellites used, and when that was told.
    private var sky: (satellites: UInt64, at: UInt64)?
    /// Whether heights are those above the sea: the other ones differ by up to 100 m, and a change
    /// between them would be a climb.
    private var isAboveSea = false

    /// The error of heights that was told last.
    private var toldHeightError: UInt64 = 0
    /// The one that came last: not every report of a second has it.
    private var heightError: UInt64?

    /// Makes a decoder that has received nothing.
    package init() {}

    /// When ``pass(to:)`` has something to tell at the latest; nil while nothing waits.
    package var dueMilliseconds: UInt64? { epochs.dueMilliseconds }

    /// Takes bytes, cut anywhere.
    ///
    /// - Parameters:
    ///   - bytes: What came.
    ///   - now: Milliseconds of the boot clock.
    /// - Returns: What there is to tell, in order.
    package mutating func take(_ bytes: [UInt8], at now: UInt64) -> [Report] {
        var lines: [[UInt8]?] = []
        cutter.take(bytes) { lines.append($0) }
        var reports: [Report] = []
        for line in lines {
            guard let message = line.flatMap(GpsdMessage.init) else {
                unreadableCount += 1
                continue
            }
            reports += take(message, at: now)
        }
        return reports
    }

    /// Lets time pass: a fix has waited long enough, or what was told of satellites is too old.
    ///
    /// - Parameter now: Milliseconds of the boot clock.
    /// - Returns: What there is to tell, in order.
    package mutating func pass(to now: UInt64) -> [Report] {
        var reports: [Report] = []
        reports += told(epochs.due(at: now), at: now)
        if let count = rate.takeLeftOut(at: now) { reports.append(.leftOut(count)) }
        if let told = sky, !Self.isFresh(told.at, at: now) {
            sky = nil
            reports.append(.satellites(nil))
        }
        return reports
    }

    /// Ends: no more bytes come.
    ///
    /// - Parameter now: Milliseconds of the boot clock.
    /// - Returns: The fix that waited, if any, and what was left out.
    package mutating func finish(at now: UInt64) -> [Report] {
        told(epochs.finish(), at: now)
            + (rate.takeLeftOut(at: now, isEnd: true).map { [.leftOut($0)] } ?? [])
    }

    private mutating func take(_ message: GpsdMessage, at now: UInt64) -> [Report] {
        switch message {
        case .version:
            isGreeted = true
            return [.greeted]
        case .devices(let count): return [.receivers(count)]
        case .sky(let device, let satellites):
            guard let satellites, isHeard(device, at: now) else { return [] }
            let before = sky?.satellites
            sky = (satellites, now)
            return before == satellites ? [] : [.satellites(satellites)]
        case .fix(let report):
            guard isHeard(report.device, at: now) else { return [] }
            receiver = (report.device, now)
            var fix = report.fix
            if report.altitudeSeaMillimetres != nil { isAboveSea = true }
            fix.altitudeMillimetres =
                isAboveSea ? report.altitudeSeaMillimetres : report.altitudeEllipsoidMillimetres
            defer { heightError = report.heightErrorMillimetres ?? heightError }
            return told(epochs.take(fix, at: now), at: now)
        case .device(let device, let isActive):
            guard receiver?.device == device || isActive || receiver == nil else { return [] }
            if !isActive { receiver = nil }
            return [.receiver(isActive: isActive)]
        // It speaks, which is news each time.
        case .noFix(let device):
            return isHeard(device, at: now) ? [.satellites(sky?.satellites)] : []
        case .other: return []
        }
    }

    /// What there is to tell of the error of heights: that it is another one by a quarter.
    private mutating func changedHeightError() -> [Report] {
        guard let error = heightError, error != toldHeightError,
            max(error, toldHeightError) * 4 >= min(error, toldHeightError) * 5
        else { return [] }
        toldHeightError = error
        return [.heightError(error)]
    }

    /// Whether a receiver is the one that is listened to.
    private func isHeard(_ device: String, at now: UInt64) -> Bool {
        guard let receiver, receiver.device != device else { return true }
        return !Self.isFresh(receiver.at, at: now)
    }

    /// What there is to tell of a fix: nothing where it is one of a flood.
    private mutating func told(_ fix: PositionFixed?, at now: UInt64) -> [Report] {
        guard var fix, rate.passes(at: now) else { return [] }
        if let sky, Self.isFresh(sky.at, at: now) { fix.satellites = sky.satellites }
        hasFix = true
        return changedHeightError() + [.fix(fix)]
    }

    private static func isFresh(_ time: UInt64, at now: UInt64) -> Bool {
        now <= time || now - time <= freshMilliseconds
    }
}
