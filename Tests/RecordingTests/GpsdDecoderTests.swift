import Events
import Sensors
import TestSelection
import TestSupport
import Testing

@Suite("What gpsd sends")
struct GpsdDecoderTests {
    /// 2026-03-01T09:00:00Z.
    private static let nine: Int64 = 1_772_355_600_000

    /// A report with what is left out of it filled in.
    private static func report(
        mode: String = "3", time: String? = "2026-03-01T09:00:00.000Z", _ rest: String = "",
        at place: String? = #""lat":48.1371500,"lon":11.5754000"#, device: String = "/dev/a"
    ) -> String {
        let fields = [
            #""class":"TPV""#, #""device":"\#(device)""#, #""mode":\#(mode)"#,
            time.map { #""time":"\#($0)""# }, place, rest.isEmpty ? nil : rest,
        ]
        return "{" + fields.compactMap { $0 }.joined(separator: ",") + "}\n"
    }

    private static let place = GpsdLines.Place(latitudeE7: 481_371_500, longitudeE7: 115_754_000)
    private static let twoSeconds =
        GpsdLines.version + GpsdLines.watched
        + GpsdLines.epoch("2026-03-01T09:00:00Z", at: place)
        + GpsdLines.epoch("2026-03-01T09:00:01Z", at: place)

    private static func fix(
        altitude: Int64? = nil, accuracy: UInt64? = nil, speed: UInt64? = nil,
        satellites: UInt64? = nil, after milliseconds: Int64? = 0
    ) -> PositionFixed {
        PositionFixed(
            north: 481_371_500, east: 115_754_000, height: altitude, within: accuracy, speed: speed,
            satellites: satellites, at: milliseconds.map { nine + $0 })
    }

    /// The fixes of a text that comes at once, the one that waits too.
    private func fixes(_ text: String) -> [PositionFixed] {
        var decoder = GpsdDecoder()
        return (decoder.take(Array(text.utf8), at: 0) + decoder.finish(at: 0)).fixes
    }

    @Test("tells that a receiver is unplugged and comes back, and that it speaks without a fix")
    func receiver() {
        var decoder = GpsdDecoder()
        func device(_ path: String, _ activated: String) -> String {
            #"{"class":"DEVICE","path":"\#(path)","activated":\#(activated)}"# + "\n"
        }
        func told(_ line: String) -> [GpsdDecoder.Report] { decoder.take(Array(line.utf8), at: 0) }
        #expect(told(Self.report(mode: "1", at: nil)) == [.satellites(nil)])
        #expect(told(Self.report()).isEmpty, "it waits for a fuller one")
        #expect(told(device("/dev/b", "0")).isEmpty, "another one's end is nothing of it")
        #expect(told(device("/dev/a", "0")) == [.receiver(isActive: false)])
        #expect(told(device("/dev/b", "\"2026-03-01T09:00:00Z\"")) == [.receiver(isActive: true)])
        #expect(told(device("/dev/b", "1772355600.0")) == [.receiver(isActive: true)])
    }

    static let reports: [(String, PositionFixed?)] = [
        (report(), fix()),
        (report(#""altMSL":515.2504"#), fix(altitude: 515_250)),
        (report(#""altHAE":562.1,"altMSL":515.25,"alt":515.25"#), fix(altitude: 515_250)),
        (report(#""altHAE":562.1"#), fix(altitude: 562_100)),
        (report(#""alt":515"#), fix(altitude: 515_000)),
        (report(mode: "2", #""altMSL":515.25"#), fix()),
        (report(#""altMSL":100000.001"#), fix()), (report(#""altMSL":1e999"#), fix()),
        (report(#""altMSL":"high""#), fix()),
        (report(#""eph":5.25"#), fix(accuracy: 5_250)),
        (report(#""eph":5.25,"epx":1,"epy":99"#), fix(accuracy: 5_250)),
        (report(#""epx":3.5,"epy":4.5"#), fix(accuracy: 4_500)),
        (report(#""epx":3.5"#), fix(accuracy: 3_500)),
        // An error that cannot be counted is not none; one that is none is not told.
        (report(#""eph":1e300"#), fix(accuracy: 40_075_017_000)), (report(#""eph":0"#), fix()),
        (report(#""eph":-1"#), fix()),
        (report(#""speed":1.4"#), fix(speed: 1_400)), (report(#""speed":0"#), fix(speed: 0)),
        (report(#""speed":-1"#), fix()), (report(#""speed":1000.1"#), fix()),
        (report(time: "2026-03-01T09:00:00.123456Z"), fix(after: 123)),
        (report(time: nil), fix(after: nil)), (report(time: "soon"), fix(after: nil)),
        (report(mode: "0"), nil), (report(mode: "1"), nil), (report(mode: "4"), nil),
        (report(mode: "3.0"), nil), (report(mode: "\"3\""), nil), (report(at: nil), nil),
        (report(at: #""lat":48.1"#), nil), (report(at: #""lat":null,"lon":null"#), nil),
        (report(at: #""lat":90.0000001,"lon":0"#), nil), (report(at: #""lat":0,"lon":-181"#), nil),
        (report(at: #""lat":1e99,"lon":0"#), nil), (report(at: #""lat":nan,"lon":nan"#), nil),
        (report(at: #""lat":48.1371500,"lon":11.5754000,"lat":1"#), nil),
        (GpsdLines.empty, nil), (GpsdLines.version + GpsdLines.watched, nil),
        (#"{"class":"TPV"}"# + "\n", nil), ("[1,2]\n3\nnull\n\n\r\n", nil),
    ]

    @Test("is a fix with mode 2 or 3 and coordinates", arguments: reports)
    func single(_ line: String, _ expected: PositionFixed?) {
        #expect(fixes(line) == (expected.map { [$0] } ?? []))
    }

    @Test("is told as fast as receivers determine fixes, and once a second in a flood")
    func flood() {
        /// What is told of fixes that come so many milliseconds apart, for ten seconds.
        func told(every interval: Int) -> (fixes: [PositionFixed], leftOut: UInt64) {
            var decoder = GpsdDecoder()
            var reports: [GpsdDecoder.Report] = []
            for now in stride(from: 0, to: 10_000, by: interval) {
                let seconds = String(now / 1_000)
                let thousandths = String(String(1_000 + now % 1_000).dropFirst())
                let time = "2026-03-01T09:00:0\(seconds).\(thousandths)Z"
                let line = Self.report(time: time)
                reports += decoder.take(Array(line.utf8), at: UInt64(now))
                reports += decoder.pass(to: UInt64(now))
            }
            reports += decoder.finish(at: 10_000)
            var leftOut: UInt64 = 0
            for case .leftOut(let count) in reports { leftOut += count }
            return (reports.fixes, leftOut)
        }
        for interval in [40, 100, 1_000] {
            let (fixes, leftOut) = told(every: interval)
            #expect(fixes.count == 10_000 / interval && leftOut == 0)
        }
        for interval in [1, 10, 20] {
            let (fixes, leftOut) = told(every: interval)
            #expect(fixes.count + Int(leftOut) == 10_000 / interval)
            let seconds = fixes.compactMap(\.fixedAtMilliseconds).map { ($0 - Self.nine) / 1_000 }
            // A second's worth passes before a flood is one.
            let last = seconds.filter { $0 >= 3 }
            #expect(last.count == Set(last).count && last.count >= 6, "\(seconds)")
        }
    }

    @Test("is told once for each time, by the fullest report, the last of equals")
    func epochs() {
        var text = GpsdLines.version + GpsdLines.watched + GpsdLines.empty
        for second in 0..<3 {
            let time = "2026-03-01T09:00:0\(second).000Z"
            text += GpsdLines.epoch(time, at: Self.place, satellites: 7)
        }
        let expected = (0..<3).map {
            Self.fix(
                altitude: 515_000, accuracy: 5_000, speed: 1_400, satellites: 7,
                after: Int64($0) * 1_000)
        }
        #expect(fixes(text) == expected)
        // The order of the two does not matter.
        let full = Self.report(#""altMSL":1,"eph":2"#)
        #expect(fixes(full + Self.report()) == [Self.fix(altitude: 1_000, accuracy: 2_000)])
        #expect(
            fixes(Self.report(#""eph":2"#) + Self.report(#""eph":3"#)) == [
                Self.fix(accuracy: 3_000)
            ])
    }

    /// What gpsd 3.22 sent of the first second of a receiver that speaks NMEA, the sky shortened.
    private static let firstSecond = #"""
        {"class":"VERSION","release":"3.22","rev":"3.22","proto_major":3,"proto_minor":14}
        {"class":"DEVICE","path":"/dev/pts/0","driver":"NMEA0183","native":0,"bps":38400}
        {"class":"TPV","device":"/dev/pts/0","mode":2,"time":"2026-11-22T23:48:16.000Z",\#
        "ept":0.005,"lat":48.150088000,"lon":11.591341167,"track":10.0000,"magtrack":13.3456,\#
        "magvar":3.3,"speed":1.399}
        {"class":"TPV","device":"/dev/pts/0","mode":3,"time":"2026-11-22T23:48:16.000Z",\#
        "ept":0.005,"lat":48.150088000,"lon":11.591341167,"altHAE":562.3000,"altMSL":515.3000,\#
        "alt":515.3000,"track":10.0000,"speed":1.399,"geoidSep":47.000,"eph":20.900}
        {"class":"TPV","device":"/dev/pts/0","mode":3,"time":"2026-11-22T23:48:16.000Z",\#
        "ept":0.005,"lat":48.150088000,"lon":11.591341167,"altHAE":562.3000,"altMSL":515.3000,\#
        "alt":515.3000,"epv":36.800,"track":10.0000,"speed":1.399,"geoidSep":47.000,\#
        "eph":20.900,"sep":36.100}
        {"class":"SKY","device":"/dev/pts/0","xdop":1.11,"ydop":0.98,"hdop":1.10,"nSat":9,\#
        "uSat":7,"satellites":[{"PRN":2,"el":45.0,"az":120.0,"ss":40.0,"used":true}]}

        """#

    @Test("is the fix that a real one told")
    func realFirstSecond() {
        let expected = PositionFixed(
            north: 481_500_880, east: 115_913_412, height: 515_300, within: 20_900, speed: 1_399,
            satellites: 7, at: 1_795_391_296_000)
        #expect(fixes(Self.firstSecond) == [expected])
    }

    @Test("G3: tells the error of its heights, and again once that has changed by a quarter")
    func heightError() {
        var decoder = GpsdDecoder()
        let errors: [(String?, UInt64?)] = [
            ("9.0", 9_000), (nil, nil), ("10.0", nil), ("11.25", 11_250), ("11.25", nil),
            ("9.1", nil), ("9.0", 9_000), ("0", nil), ("1e300", 40_075_017_000), ("-3", nil),
        ]
        for (index, (text, told)) in errors.enumerated() {
            let error = text.map { #""epv":\#($0)"# } ?? #""eph":2"#
            let report = Self.report(time: "2026-03-01T09:00:\(10 + index)Z", error)
            let now = UInt64(index + 1) * 1_000
            let reports = decoder.take(Array(report.utf8), at: now) + decoder.pass(to: now + 600)
            let heard = reports.compactMap { report -> UInt64? in
                if case .heightError(let error) = report { error } else { nil }
            }
            #expect(heard == (told.map { [$0] } ?? []), "\(index)")
        }
    }

    @Test("is told half a second after its first report at the latest, and then no more")
    func patience() {
        var decoder = GpsdDecoder()
        #expect(decoder.dueMilliseconds == nil)
        #expect(decoder.take(Array(Self.report().utf8), at: 1_000).isEmpty)
        #expect(decoder.take(Array(Self.report(#""eph":2"#).utf8), at: 1_400).isEmpty)
        #expect(decoder.dueMilliseconds == 1_500)
        #expect(decoder.pass(to: 1_499).isEmpty)
        #expect(decoder.pass(to: 1_500) == [.fix(Self.fix(accuracy: 2_000))])
        #expect(decoder.take(Array(Self.report(#""eph":1,"speed":1"#).utf8), at: 1_600).isEmpty)
        #expect(decoder.pass(to: 9_000).isEmpty && decoder.finish(at: 9_000).isEmpty)
    }

    @Test("that is late is no fix; from a clock that was set back it is")
    func order() {
        func text(_ times: [String]) -> String {
            times.map { Self.report(time: "2026-03-01T09:00:\($0)Z") }.joined()
        }
        let late = fixes(text(["30", "29", "31", "30", "31", "22"]))
        #expect(late.map(\.fixedAtMilliseconds) == [30_000, 31_000].map { Self.nine + $0 })
        let set = fixes(text(["30", "10", "11"]))
        #expect(
            set.map(\.fixedAtMilliseconds) == [30_000, 10_000, 11_000].map { Self.nine + $0 })
    }

    @Test("without a time is a fix of a receiver that never tells one")
    func withoutTime() {
        let untimed = Self.report(time: nil, #""eph":9"#)
        #expect(fixes(untimed + Self.report() + untimed) == [Self.fix()])
        var decoder = GpsdDecoder()
        var told: [PositionFixed] = []
        for second: UInt64 in 1...3 {
            told += decoder.take(Array((untimed + untimed).utf8), at: second * 1_000).fixes
            told += decoder.pass(to: second * 1_000 + 600).fixes
        }
        #expect(told == [PositionFixed](repeating: Self.fix(accuracy: 9_000, after: nil), count: 3))
    }

    @Test("of one receiver is taken, and of another when that has told nothing for ten seconds")
    func receivers() {
        var decoder = GpsdDecoder()
        func take(_ second: Int, _ device: String) -> [Int64?] {
            let time = "2026-03-01T09:00:\(second + 10)Z"
            let line = Self.report(time: time, device: device)
            let now = UInt64(second) * 1_000
            return (decoder.take(Array(line.utf8), at: now) + decoder.pass(to: now + 500)).fixes
                .map { $0.fixedAtMilliseconds.map { $0 - Self.nine - 10_000 } }
        }
        #expect(take(0, "/dev/a") == [0])
        #expect(take(1, "/dev/b") == [])
        #expect(take(10, "/dev/b") == [])
        #expect(take(11, "/dev/b") == [11_000])
        #expect(take(12, "/dev/a") == [])
    }

    @Test("keeps to heights above the sea once there are any")
    func heights() {
        let times = (0..<4).map { "2026-03-01T09:00:0\($0)Z" }
        let text =
            Self.report(time: times[0], #""altHAE":560"#)
            + Self.report(time: times[1], #""altHAE":560,"altMSL":513"#)
            + Self.report(time: times[2], #""altHAE":560"#)
            + Self.report(time: times[3], #""altMSL":514"#)
        #expect(fixes(text).map(\.altitudeMillimetres) == [560_000, 513_000, nil, 514_000])
    }

    @Test("tells the satellites that are used, when that changes")
    func satellites() {
        func sky(_ rest: String) -> [UInt8] {
            Array(#"{"class":"SKY","device":"/dev/a",\#(rest)}"#.utf8) + [0x0A]
        }
        var decoder = GpsdDecoder()
        #expect(
            decoder.take(sky(#""uSat":8,"satellites":[{"used":true}]"#), at: 0) == [.satellites(8)])
        #expect(decoder.take(sky(#""hdop":1.1"#), at: 0) == [])
        #expect(decoder.take(sky(#""uSat":8"#), at: 0) == [])
        let seen = #""satellites":[{"used":true},{"used":false},{"PRN":3},{"used":true},7]"#
        #expect(decoder.take(sky(seen), at: 0) == [.satellites(2)])
        #expect(decoder.take(sky(#""uSat":-1,"satellites":[]"#), at: 5_000) == [.satellites(0)])
        #expect(decoder.pass(to: 15_000) == [])
        #expect(decoder.pass(to: 15_001) == [.satellites(nil)])
        #expect(decoder.take(Array(Self.report().utf8), at: 20_000).isEmpty)
        #expect(decoder.finish(at: 20_000) == [.fix(Self.fix())])
    }

    @Test("is greeted, and has so many receivers")
    func greeting() {
        var decoder = GpsdDecoder()
        let text =
            GpsdLines.version + GpsdLines.watched + #"{"class":"DEVICES","devices":[]}"# + "\n"
        #expect(decoder.take(Array(text.utf8), at: 0) == [.greeted, .receivers(1), .receivers(0)])
    }

    @Test(
        "gives the same however it is cut, and at every end of it",
        arguments: sample([1, 2, 7, 1_000], 2))
    func pieces(size: Int) {
        let bytes = Array((Self.twoSeconds + "rubbish\n" + Self.twoSeconds).utf8)
        var whole = GpsdDecoder()
        let expected = whole.take(bytes, at: 0)
        var cut = GpsdDecoder()
        #expect(bytes.pieces(of: size).flatMap { cut.take($0, at: 0) } == expected)
        for end in bytes.indices {
            var decoder = GpsdDecoder()
            let reports = decoder.take(Array(bytes[..<end]), at: 0)
            #expect(expected.starts(with: reports))
        }
    }

    @Test("is passed over where a line is too long, and heard again after it")
    func longLines() {
        func padded(_ count: Int) -> String {
            let line = Self.report()
            let padding = String(repeating: " ", count: count - line.utf8.count + 1)
            return padding + line
        }
        #expect(fixes(padded(GpsdDecoder.lineLimitBytes)) == [Self.fix()])
        #expect(fixes(padded(GpsdDecoder.lineLimitBytes + 1)).isEmpty)
        let megabyte = String(repeating: "x", count: 1 << 20)
        #expect(fixes(megabyte).isEmpty)
        #expect(fixes(megabyte + "\n" + Self.report()) == [Self.fix()])
        var decoder = GpsdDecoder()
        for _ in 0..<64 { _ = decoder.take(Array(megabyte.utf8.prefix(16_384)), at: 0) }
        _ = decoder.take(Array("\n".utf8), at: 0)
        #expect(decoder.unreadableCount == 1)
    }

    @Test("is harmless whatever it is", arguments: 0..<200 as Range<UInt64>)
    func noise(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        var bytes = Array(Self.twoSeconds.utf8)
        for _ in 0..<Int.random(in: 1...20, using: &generator) {
            let index = bytes.indices.randomElement(using: &generator) ?? 0
            bytes[index] = UInt8.random(in: 0...255, using: &generator)
        }
        var decoder = GpsdDecoder()
        var reports = decoder.take(bytes, at: 0)
        reports += decoder.finish(at: .max)
        for fix in reports.fixes {
            #expect(fix.latitudeE7.magnitude <= 900_000_000, "seed \(seed)")
            #expect(fix.longitudeE7.magnitude <= 1_800_000_000, "seed \(seed)")
        }
    }
}

extension [GpsdDecoder.Report] {
    /// The fixes among them.
    var fixes: [PositionFixed] {
        compactMap { if case .fix(let fix) = $0 { fix } else { nil } }
    }
}
