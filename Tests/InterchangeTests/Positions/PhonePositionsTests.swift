import Events
import Interchange
import JSON
import Projections
import TestSupport
import Testing

@Suite("What apps of phones send")
struct PhonePositionsTests {
    /// 2026-03-01T09:00:00Z, in each app's own form: the same fix.
    private static let ownTracks = """
        {"_type":"location","lat":48.1371,"lon":11.5754,"tst":1772355600,"acc":5,"alt":515,"vac":3,\
        "vel":5,"cog":90,"batt":80,"tid":"PH","topic":"owntracks/pulselog/Pixel 8","t":"p"}
        """
    private static let traccar = """
        {"location":{"timestamp":"2026-03-01T09:00:00.000Z","coords":{"latitude":48.1371,\
        "longitude":11.5754,"accuracy":5.0,"speed":1.4,"heading":90,"altitude":515},\
        "is_moving":true,"battery":{"level":0.8,"is_charging":false}},"device_id":"Pixel 8"}
        """
    private static let gpsLogger = [
        "lat": "48.1371", "lon": "11.5754", "time": "2026-03-01T10:00:00.000+01:00", "acc": "5.0",
        "alt": "515.0", "s": "1.4", "sat": "9", "prov": "gps", "batt": "80.0",
    ]
    private static let olderTraccar = [
        "id": "123456", "timestamp": "1772355600", "lat": "48.1371", "lon": "11.5754",
        "speed": "2.7213822894168467", "bearing": "90", "altitude": "515", "accuracy": "5.0",
        "batt": "80", "valid": "true",
    ]

    private func read(
        _ body: String, _ parameters: [String: String] = [:]
    ) throws -> PhonePositions {
        try PhonePositions(
            of: "Pixel 8", JSONValue(parsing: Array(body.utf8)), parameters: parameters)
    }

    @Test("is the same fix in each app's form, in its own units")
    func forms() throws {
        let forms = [
            (PositionApp.ownTracks, try read(Self.ownTracks)),
            (.traccar, try read(Self.traccar)), (.gpsLogger, try read("", Self.gpsLogger)),
            (.traccar, try read("", Self.olderTraccar)),
        ]
        for (app, sent) in forms {
            var expected = PositionFixed(
                latitudeE7: 481_371_000, longitudeE7: 115_754_000, altitudeMillimetres: 515_000,
                accuracyMillimetres: 5_000, fixedAtMilliseconds: 1_772_355_600_000)
            // OwnTracks tells whole km/h, a tenth off.
            expected.speedMillimetresPerSecond = app == .ownTracks ? nil : 1_400
            expected.satellites = app == .gpsLogger ? 9 : nil
            let told = PositionSourceTold(app, name: "Pixel 8", batteryPercent: 80)
            #expect(sent.fixes == [PhoneFix(expected, of: told)], "\(app)")
        }
        let exact = Self.ownTracks.replacing("\"vel\":5", with: "\"vel\":5.04")
        #expect(try read(exact).fixes[0].fix.speedMillimetresPerSecond == 1_400)
        let flat = #"{"lat":48.1371,"lon":"11.5754","time":1772355600000,"prov":"gps","s":0}"#
        let fix = try read(flat).fixes[0]
        #expect(fix.fix.speedMillimetresPerSecond == nil && fix.told.app == OpenCode(.gpsLogger))
        #expect(fix.fix.fixedAtMilliseconds == 1_772_355_600_000)
    }

    @Test("is left out where it says so itself, or is no place or time")
    func leftOut() throws {
        func fault(_ changes: [String: String], of form: [String: String]) throws -> FixFault? {
            try read("", form.merging(changes) { $1 }).fixes[0].told.leftOut.known
        }
        #expect(try fault(["prov": "network"], of: Self.gpsLogger) == .network)
        #expect(try fault(["valid": "false"], of: Self.olderTraccar) == .notValid)
        for change in [
            ["lat": "91"], ["lat": "NaN"], ["lon": "1e9"], ["lon": ""], ["acc": "-1"],
            ["time": "soon"], ["time": "9e99"],
        ] {
            #expect(try fault(change, of: Self.gpsLogger) == .notValid, "\(change)")
        }
        #expect(
            try fault(["s": "-1", "alt": "1e99", "batt": "400", "sat": "x"], of: Self.gpsLogger)
                == FixFault.none)
    }

    @Test("is passed over, ordered, refused or bounded, whatever it is")
    func messages() throws {
        for body in [
            "", "[]", #"{"_type":"lwt","tst":1}"#, #"{"_type":"transition","event":"enter"}"#,
            #"[{"a":1},{"_type":"lwt"},7]"#,
        ] {
            #expect(try read(body).fixes.isEmpty, "\(body)")
        }
        let many = (0..<1_000).map { index in
            Self.ownTracks.replacing("1772355600", with: "\(1_772_356_600 - index)")
        }
        let fixes = try read("[\(many.joined(separator: ","))]").fixes
        let times = fixes.compactMap(\.fix.fixedAtMilliseconds)
        #expect(times.count == 1_000 && times == times.sorted())
        for (body, failure) in [
            (#"{"_type":"encrypted","data":"x"}"#, PhonePositions.Failure.encrypted),
            (#"{"a":1}"#, .unrecognized), ("[1]", .unrecognized), ("7", .unrecognized),
            (#"{"location":{}}"#, .unrecognized), (#"{"location":[1]}"#, .unrecognized),
        ] {
            #expect(throws: failure) { try read(body) }
        }
        #expect(try read(Self.ownTracks, ["u": "me", "d": "x"]).fixes.count == 1, "body and query")
        let beside = try read("[\(Self.ownTracks),{\"a\":1},\(Self.traccar)]")
        #expect(beside.fixes.count == 2, "what is in no form does not keep back what is")
        var random = SeededGenerator(seed: 7)
        var parsed = 0
        for _ in 0..<2_000 {
            var bytes = Array((Bool.random(using: &random) ? Self.ownTracks : Self.traccar).utf8)
            let places = bytes.indices.filter { (0x30...0x39).contains(bytes[$0]) }
            for _ in 0..<3 {
                bytes[places.randomElement(using: &random)!] =
                    "0123456789.eE-+ ".utf8.randomElement(using: &random)!
            }
            guard let value = JSONValue(parsing: bytes) else { continue }
            parsed += 1
            for sent in try PhonePositions(of: "x", value).fixes {
                let isPlace = sent.fix.latitudeE7.magnitude <= 900_000_000
                #expect(isPlace && sent.fix.longitudeE7.magnitude <= 1_800_000_000)
            }
        }
        #expect(parsed > 500)
    }

    @Test("of steps is an interval of a health store")
    func steps() throws {
        let told =
            #"{"_type":"steps","tst":1772359200,"steps":812,"from":1772355600,"to":1772359200}"#
        let steps = try read(told).steps
        #expect(steps.origin == .ownTracks && steps.samples.count == 1)
        #expect(steps.samples[0].steps == 812 && steps.samples[0].origin == "OwnTracks")
        #expect(steps.samples[0].endedAtMilliseconds == 1_772_359_200_000)
        for change in ["-1", "1e3", "null", "99999999999"] {
            let read = try read(told.replacing("812", with: change)).steps
            #expect(read.samples.isEmpty && read.ignored.count == 1, "\(change)")
        }
    }
}
