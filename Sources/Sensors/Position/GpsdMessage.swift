internal import Events
internal import Interchange
internal import JSON
internal import Text

/// What a line of gpsd says, as far as it matters here (gpsd_json(5), of gpsd 3.22).
enum GpsdMessage {
    /// The greeting.
    case version
    /// So many receivers are there.
    case devices(Int)
    /// Time, position and velocity.
    case fix(GpsdFix)
    /// The satellites of a receiver's sky that it uses; nil where it tells only of precision.
    case sky(device: String, satellites: UInt64?)
    /// A receiver begins, or no longer works: it was unplugged.
    case device(String, isActive: Bool)
    /// A receiver has no fix.
    case noFix(device: String)
    /// Anything else.
    case other

    /// Reads a line; nil if it is not an object of gpsd's.
    init?(_ line: [UInt8]) {
        // A stranger's bytes; whether it is gpsd at all is asked by the caller.
        let limits = JSONParser.Limits(bytes: GpsdDecoder.lineLimitBytes, depth: 8)
        guard let value = JSONValue(parsing: line, limits: limits),
            let kind = value["class"]?.text
        else { return nil }
        switch kind {
        case "VERSION": self = .version
        case "DEVICES":
            guard let devices = value["devices"]?.elements else { return nil }
            self = .devices(devices.count)
        case "DEVICE":
            let isActive = value["activated"]?.integer(as: Int.self) != 0
            self = .device(value["path"]?.text ?? "", isActive: isActive)
        case "TPV": self = GpsdFix(value).map { .fix($0) } ?? .noFix(device: value.device)
        case "SKY": self = .sky(device: value.device, satellites: value.usedSatellites)
        default: self = .other
        }
    }
}

/// A TPV with a fix: mode 2 or 3, and coordinates.
struct GpsdFix {
    /// The receiver, a stranger's text.
    let device: String
    /// The fix, without height and satellites.
    let fix: PositionFixed
    /// Above the sea, of a fix in three dimensions.
    let altitudeSeaMillimetres: Int64?
    /// Above the ellipsoid, of a fix in three dimensions.
    let altitudeEllipsoidMillimetres: Int64?

    /// The estimated error of the height.
    let heightErrorMillimetres: UInt64?

    /// Reads a report; nil if it has no fix.
    ///
    /// The first report after a start may say mode 3 before there are coordinates.
    init?(_ report: JSONValue) {
        guard let mode = report["mode"]?.integer(as: Int.self), mode == 2 || mode == 3,
            let latitude = report.decimal("lat"), let longitude = report.decimal("lon"),
            var fix = PositionFixed(degreesNorth: latitude, degreesEast: longitude)
        else { return nil }
        fix.accuracyMillimetres = report.horizontalErrorMillimetres
        fix.speedMillimetresPerSecond = report.decimal("speed")?.millimetresPerSecond()
        fix.fixedAtMilliseconds = report["time"]?.text.flatMap({ InstantText($0) })?.milliseconds
        self.fix = fix
        device = report.device
        heightErrorMillimetres = mode == 3 ? report.error("epv") : nil
        // "alt" is what came before both, and above the sea with most receivers.
        let sea = report.decimal("altMSL") ?? report.decimal("alt")
        altitudeSeaMillimetres = mode == 3 ? sea?.altitudeMillimetres : nil
        altitudeEllipsoidMillimetres =
            mode == 3 ? report.decimal("altHAE")?.altitudeMillimetres : nil
    }
}

extension JSONValue {
    fileprivate func decimal(_ name: String) -> DecimalText? {
        if case .number(let number)? = self[name] { DecimalText(number.text) } else { nil }
    }

    fileprivate var device: String { self["device"]?.text ?? "" }

    /// The estimated error in the plane in millimetres; nil if none is told.
    ///
    /// What is told for the two directions apart stands in for it by the greater, as in gpsd's own
    /// programs.
    fileprivate var horizontalErrorMillimetres: UInt64? {
        error("eph") ?? [error("epx"), error("epy")].compactMap { $0 }.max()
    }

    fileprivate func error(_ name: String) -> UInt64? { decimal(name)?.errorMillimetres }

    /// The satellites used: told, or counted.
    fileprivate var usedSatellites: UInt64? {
        if let told = self["uSat"]?.integer(as: UInt64.self), told <= 1_000 { return told }
        return self["satellites"]?.elements.map { all in
            UInt64(all.count { $0["used"] == .bool(true) })
        }
    }
}
