internal import Events
package import JSON
package import Projections
internal import Text

/// What an app of a phone posts: fixes, in order of their own times, and steps.
///
/// The form is recognized by what is in it: OwnTracks by `_type` (its booklet, "JSON"), Traccar
/// Client since 9.0 by `location`, before that by `id` (traccar.org/osmand), GPSLogger by
/// coordinates alone, since its users write the names (its manual, "Custom URL").
package struct PhonePositions: Hashable, Sendable {
    /// Why nothing of a message can be used; the raw value is what programs match.
    package enum Failure: String, Error {
        /// It is in none of the known forms.
        case unrecognized
        /// It is encrypted.
        case encrypted
    }

    /// The longest message in bytes.
    package static let limitBytes = 1 << 20
    /// The fixes, the earliest first; those without a time are the last.
    package private(set) var fixes: [PhoneFix] = []
    /// Steps, as a health store's.
    package private(set) var steps = HealthReport(origin: .ownTracks)
    /// What the phone is called.
    private let name: String

    /// Reads a message; what is in no known form is passed over beside what is.
    ///
    /// - Parameters:
    ///   - name: What the phone is called.
    ///   - body: The body, an object or a list; nil if there is none in JSON.
    ///   - parameters: Those of the address, or of a form.
    /// - Throws: ``Failure`` if it is none.
    package init(
        of name: String, _ body: JSONValue?, parameters: [String: String] = [:]
    ) throws(Failure) {
        self.name = name.fitting(64)
        if body == nil, !parameters.isEmpty { try add(parameters) }
        var (hasRead, failure) = (false, Failure?.none)
        for element in body.map({ $0.elements ?? [$0] }) ?? [] {
            do throws(Failure) {
                try add(element)
                hasRead = true
            } catch {
                failure = error
            }
        }
        if let failure, !hasRead { throw failure }
        fixes.sort { $0.fix.fixedAtMilliseconds ?? .max < $1.fix.fixedAtMilliseconds ?? .max }
    }

    // MARK: - Apps

    private mutating func add(_ value: JSONValue) throws(Failure) {
        guard case .object = value else { throw .unrecognized }
        var texts = value.texts
        switch value["_type"]?.text {
        case "encrypted": throw .encrypted
        case "steps": steps.add(ownTracks: value)
        case "location":
            // A whole number of km/h is a tenth off at a walk: places measure it better.
            if texts["vel"]?.contains(".") != true { texts["vel"] = nil }
            add(texts, of: .ownTracks, metresPerHour: 1_000)
        // Other kinds of OwnTracks, such as that of a region that was left, are passed over.
        case .some: break
        case nil:
            guard let location = value["location"] else { return try add(texts) }
            for each in location.elements ?? [location] {
                guard var place = each["coords"]?.texts else { throw .unrecognized }
                place["time"] = each.texts["timestamp"]
                let level = each["battery"]?.texts["level"].flatMap(DecimalText.init)
                place["batt"] = level?.whole(timesTenTo: 2).map { "\($0)" }
                add(place, of: .traccar)
            }
        }
    }

    /// Adds what stands in parameters; with an `id`, and nothing of a provider, it is Traccar's,
    /// whose speeds are knots.
    private mutating func add(_ texts: [String: String]) throws(Failure) {
        guard texts["lat"] ?? texts["latitude"] != nil, texts["lon"] ?? texts["longitude"] != nil
        else { throw .unrecognized }
        let isOfLogger = texts["prov"] ?? texts["provider"] != nil
        if !isOfLogger, texts["id"] ?? texts["deviceid"] != nil {
            add(texts, of: .traccar, metresPerHour: 1_852)
        } else {
            add(texts, of: .gpsLogger)
        }
    }

    private mutating func add(
        _ texts: [String: String], of app: PositionApp, metresPerHour: Int64 = 3_600
    ) {
        func first(_ names: String...) -> String? {
            names.lazy.compactMap { texts[$0] }.first { (1...256).contains($0.utf8.count) }
        }
        func number(_ names: String...) -> DecimalText? {
            names.lazy.compactMap { first($0) }.first.flatMap(DecimalText.init)
        }
        func whole(_ name: String, in range: ClosedRange<Int64>) -> UInt64? {
            number(name)?.whole(timesTenTo: 0).flatMap { range.contains($0) ? UInt64($0) : nil }
        }
        let time = first("tst", "time", "timestamp")
        let accuracy = number("acc", "accuracy")
        var place: PositionFixed?
        if let north = number("lat", "latitude"), let east = number("lon", "longitude") {
            place = PositionFixed(degreesNorth: north, degreesEast: east)
        }
        var fix = place ?? PositionFixed()
        fix.fixedAtMilliseconds = time.flatMap(Self.milliseconds)
        fix.altitudeMillimetres = number("alt", "altitude")?.altitudeMillimetres
        fix.accuracyMillimetres = accuracy?.errorMillimetres
        fix.satellites = whole("sat", in: 1...1_000)
        let speed = number("vel", "speed", "s", "spd")?
            .millimetresPerSecond(metresPerHour: metresPerHour)
        // GPSLogger's 0 is none.
        fix.speedMillimetresPerSecond = app == .gpsLogger && speed == 0 ? nil : speed
        // A phone that knows no place tells an accuracy below 0. What is no time is not the time at
        // which it came.
        let isValid =
            place != nil && accuracy?.isNegative != true && texts["valid"] != "false"
            && (time == nil || fix.fixedAtMilliseconds != nil)
        let isOfNetwork = texts["prov"] ?? texts["provider"] == "network"
        fixes.append(
            PhoneFix(
                fix,
                of: PositionSourceTold(
                    app, name: name, batteryPercent: whole("batt", in: 0...100),
                    leftOut: !isValid ? .notValid : isOfNetwork ? .network : .none)))
    }

    /// Seconds or milliseconds since 1970, or an instant as people write it.
    private static func milliseconds(_ text: String) -> Int64? {
        guard let number = DecimalText(text) else { return InstantText(text)?.milliseconds }
        let seconds = number.whole(timesTenTo: 0) ?? 0
        let milliseconds = number.whole(timesTenTo: abs(seconds) < 100_000_000_000 ? 3 : 0)
        return milliseconds.flatMap { FieldRange.signed.contains($0) ? $0 : nil }
    }
}

extension JSONValue {
    /// What an object has, as it was written, but for what is neither text nor number.
    fileprivate var texts: [String: String] {
        guard case .object(let members) = self else { return [:] }
        let texts = members.compactMap { member -> (String, String)? in
            switch member.value {
            case .string(let text): (member.name, text)
            case .number(let number): (member.name, number.text)
            case .bool(let isTrue): (member.name, "\(isTrue)")
            case .null, .array, .object: nil
            }
        }
        return Dictionary(texts) { $1 }
    }
}
