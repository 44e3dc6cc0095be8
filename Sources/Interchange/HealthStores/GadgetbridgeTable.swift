/// What the steps in one of Gadgetbridge's tables are the steps of.
///
/// Source: Gadgetbridge at commit a0948ee1, the file that is named with each table; names of tables
/// are compared without their underscores, of which versions have more or fewer.
struct GadgetbridgeTable {
    /// What the steps of a row are the steps of.
    enum Counting {
        /// Of so many seconds from the row's time, to the whole minute.
        case seconds(Int64)
        /// Of the time from the row's time to the next row's, at most an hour.
        case untilNext
        /// Of the time since the row before, but of the same date: the row's time is its end.
        case sincePrevious
        /// Of the time since local midnight; what is new in a row was walked since the row before.
        case sinceMidnight
        /// Of as many seconds as the column DURATION says.
        case duration
        /// Of the time up to OTHER_TIMESTAMP, or from it; the row is there twice, from both ends.
        case otherEnd
        /// The column RAW_KIND tells: 101 of the date up to then, 102 of ten minutes, 103 since
        /// midnight. All three count the same steps.
        case byKind
    }

    let counting: Counting
    /// Whether a minute is kept in a byte, so that 255 stands for none; below 0 always does.
    let isByte: Bool

    /// The columns that it needs besides those of all tables.
    var columns: Set<String> {
        switch counting {
        case .duration: ["DURATION"]
        case .otherEnd: ["OTHER_TIMESTAMP"]
        case .byKind: ["RAW_KIND"]
        case .seconds, .untilNext, .sincePrevious, .sinceMidnight: []
        }
    }

    /// Takes a table for what it is known to be; nil if it is not known.
    init?(_ name: String) {
        let key = Self.key(name)
        guard let entry = Self.entries.first(where: { $0.key == key }) else { return nil }
        counting = entry.counting
        isByte = entry.isByte
    }

    /// Whether its rows sum up what is in another table already.
    static func isSummary(_ name: String) -> Bool {
        // XiaomiDailySummarySampleProvider
        key(name) == "XIAOMIDAILYSUMMARYSAMPLE"
    }

    /// Device, timestamp, steps, what else tells the row's time, or null, and another column.
    func query(_ name: String, _ column: String) -> String {
        let quoted =
            "\""
            + name.split(separator: "\"", omittingEmptySubsequences: false)
            .joined(separator: "\"\"") + "\""
        // The primary key begins with the time, so that nothing has to be sorted.
        return "SELECT DEVICE_ID, TIMESTAMP, STEPS, \(columns.first ?? "NULL"), \(column) "
            + "FROM \(quoted) ORDER BY TIMESTAMP"
    }

    private static func key(_ name: String) -> String {
        name.filter { $0 != "_" }.uppercased()
    }

    private static let entries: [(key: String, counting: Counting, isByte: Bool)] = [
        // FetchActivityOperation of miband and huami, StepsPacketParser
        ("MIBANDACTIVITYSAMPLE", .seconds(60), true),
        ("HUAMIEXTENDEDACTIVITYSAMPLE", .seconds(60), true),
        ("WENA3ACTIVITYSAMPLE", .seconds(60), true),
        // DailyDetailsParser, DatalogSessionHealthSteps, ActivityFileParser of qhybrid
        ("XIAOMIACTIVITYSAMPLE", .seconds(60), false),
        ("PEBBLEHEALTHACTIVITYSAMPLE", .seconds(60), false),
        ("HYBRIDHRACTIVITYSAMPLE", .seconds(60), false),
        // FitProDeviceSupport: five minutes; BangleJSDeviceSupport: ten; XWatchSupport: 96 a day
        ("FITPROACTIVITYSAMPLE", .seconds(300), false),
        ("BANGLEJSACTIVITYSAMPLE", .seconds(600), false),
        ("XWATCHACTIVITYSAMPLE", .seconds(900), false),
        // ColmiR0xPacketHandler, FetchStepCountDataOperation, No1F1Support, TLW64Support: minute 0
        ("COLMIACTIVITYSAMPLE", .seconds(3_600), false),
        ("CASIOGBX100ACTIVITYSAMPLE", .seconds(3_600), false),
        ("NO1F1ACTIVITYSAMPLE", .seconds(3_600), false),
        ("TLW64ACTIVITYSAMPLE", .seconds(3_600), false),
        // FetchActivityOperation of id115, LefunDeviceSupport, ZeTimeDeviceSupport,
        // SonySWR12HandlerThread: the row has its beginning, and nothing says how long it is
        ("ID115ACTIVITYSAMPLE", .untilNext, false),
        ("LEFUNACTIVITYSAMPLE", .untilNext, false),
        ("ZETIMEACTIVITYSAMPLE", .untilNext, false),
        ("SONYSWR12SAMPLE", .untilNext, false),
        // onReceiveStepsSample of MakibesHR3DeviceSupport and PineTimeJFSupport, handleStepsInfo of
        // WatchXPlusDeviceSupport, FitImporter of the former vivomovehr (before 0cf73a21)
        ("MAKIBESHR3ACTIVITYSAMPLE", .sincePrevious, false),
        ("PINETIMEACTIVITYSAMPLE", .sincePrevious, false),
        ("WATCHXPLUSACTIVITYSAMPLE", .sincePrevious, false),
        ("VIVOMOVEHRACTIVITYSAMPLE", .sincePrevious, false),
        // The callers of AbstractSampleProvider.convertCumulativeSteps; the third one is of forks
        ("GARMINACTIVITYSAMPLE", .sinceMidnight, false),
        ("CMFACTIVITYSAMPLE", .sinceMidnight, false),
        ("OVTOUCH26ACTIVITYSAMPLE", .sinceMidnight, false),
        // ActivitySampleHandler of withingssteelhr, HuaweiSampleProvider, HPlusDataRecord
        ("WITHINGSSTEELHRACTIVITYSAMPLE", .duration, false),
        ("HUAWEIACTIVITYSAMPLE", .otherEnd, false),
        ("HPLUSHEALTHACTIVITYSAMPLE", .byKind, false),
    ]
}

/// The steps of a time, in seconds since 1970.
struct GadgetbridgeRow {
    let start: Int64
    let end: Int64
    let steps: Int64
}

/// What the rows of one device in one table say, which come in order of their time.
struct GadgetbridgeCounter {
    private let offsetMinutes: (Int64) -> Int64
    /// The row before.
    private var previous: Int64?
    /// Steps since midnight at the time of `previous`.
    private var sinceMidnight: Int64 = 0
    /// A row whose end is not known yet.
    private var open: GadgetbridgeRow?

    /// - Parameter offsetMinutes: Minutes east of UTC at a UTC time in milliseconds.
    init(_ offsetMinutes: @escaping (Int64) -> Int64) {
        self.offsetMinutes = offsetMinutes
    }

    /// Takes the next row.
    ///
    /// - Parameters:
    ///   - counting: What its steps are the steps of.
    ///   - time: Its time, in seconds since 1970.
    ///   - steps: Its steps.
    ///   - detail: What else it tells of its time.
    /// - Returns: The steps of a time; nil if it has none, or tells its time later.
    mutating func row(
        _ counting: GadgetbridgeTable.Counting, at time: Int64, steps: Int64, detail: Int64?
    ) -> GadgetbridgeRow? {
        switch counting {
        case .seconds(let length):
            // A minute may have come twice, with other seconds; so it counts once.
            let start = time / 60 * 60
            return GadgetbridgeRow(start: start, end: start + length, steps: steps)
        case .untilNext:
            defer { open = GadgetbridgeRow(start: time, end: time + 3_600, steps: steps) }
            return closed(at: time)
        case .sincePrevious:
            let start = max(previous ?? .min, midnight(before: time))
            previous = time
            return GadgetbridgeRow(start: min(start, time), end: time, steps: steps)
        case .sinceMidnight:
            return difference(at: time, steps)
        case .duration:
            return GadgetbridgeRow(
                start: time, end: time + min(max(detail ?? 60, 0), 1 << 32), steps: steps)
        case .otherEnd:
            let other = min(max(detail ?? time + 60, -1 << 40), 1 << 40)
            return GadgetbridgeRow(start: min(time, other), end: max(time, other), steps: steps)
        case .byKind:
            switch detail {
            case 101:
                return GadgetbridgeRow(
                    start: midnight(before: time), end: time, steps: steps)
            case 102: return GadgetbridgeRow(start: time, end: time + 600, steps: steps)
            case 103: return difference(at: time, steps)
            default: return nil
            }
        }
    }

    /// Says that no row follows.
    mutating func last() -> GadgetbridgeRow? { closed(at: .max) }

    private mutating func closed(at time: Int64) -> GadgetbridgeRow? {
        defer { open = nil }
        return open.map {
            GadgetbridgeRow(start: $0.start, end: min($0.end, time), steps: $0.steps)
        }
    }

    /// What was walked since the row before of the same date: a count since midnight that is less
    /// than one before it was told too early, or is one of fewer kinds of steps.
    private mutating func difference(at time: Int64, _ steps: Int64) -> GadgetbridgeRow? {
        let midnight = midnight(before: time)
        if previous.map({ $0 <= midnight }) ?? true { (previous, sinceMidnight) = (midnight, 0) }
        let start = previous ?? midnight
        previous = time
        defer { sinceMidnight = max(sinceMidnight, steps) }
        return GadgetbridgeRow(start: start, end: time, steps: max(0, steps - sinceMidnight))
    }

    /// The beginning of the date that a time is the end of.
    private func midnight(before time: Int64) -> Int64 {
        let local = time - 1 + offsetMinutes((time - 1) * 1_000) * 60
        let start = local - ((local % 86_400) + 86_400) % 86_400
        return start - offsetMinutes((start - offsetMinutes(start * 1_000) * 60) * 1_000) * 60
    }
}
