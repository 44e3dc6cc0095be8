package import BluetoothCaptures
internal import Events
package import Sensors
internal import Terminal
internal import Text
internal import Words

extension BluetoothCapture {
    /// Surveys a capture, with a bar if it is long, and says what of it is passed over.
    ///
    /// - Parameters:
    ///   - input: The capture, just opened.
    ///   - format: Its format.
    ///   - hints: What of it is given by hand.
    ///   - isImported: Whether gaps in its times are a failure, which says them.
    /// - Returns: The capture, which holds a value at least.
    /// - Throws: ``CommandFailure`` if it cannot be read, or holds none.
    package static func surveyed(
        _ input: ByteStream, _ format: CaptureFormat, _ hints: CaptureHints,
        isImported: Bool = false
    ) throws -> BluetoothCapture {
        let progress = ReadingProgress(of: input.name)
        defer { progress.clear() }
        let capture = try BluetoothCapture(input, format, hints, progress: progress.show)
        progress.clear()
        let readings: [CharacteristicCode] = [
            .heartRateMeasurement, .runningSpeedCadenceMeasurement, .infiniTimeStepCount,
        ]
        try require(
            readings.contains(where: capture.survey.holds), .badData,
            "\(capture.path): \(capture.survey.missingHeartRate ?? "")")
        try capture.survey.straps.report(hints.device, in: capture.path)
        if let remark = capture.survey.remark, !isImported || capture.survey.timeGaps.isEmpty {
            Output.standardError.say("\(printable(capture.path, limit: 200)): \(remark)")
        }
        return capture
    }
}

extension StrapCounts {
    /// Says which straps are left out, if some are.
    ///
    /// - Parameters:
    ///   - address: The address of the strap that was asked for; nil if none was.
    ///   - path: The file's path.
    /// - Throws: ``CommandFailure`` if that strap sent no heart rate.
    func report(_ address: UInt64?, in path: String) throws(CommandFailure) {
        let path = printable(path, limit: 200)
        func words(_ straps: [Strap]) -> String {
            straps.prefix(8).map {
                "\($0.device) (\(counted($0.values, "heart rate")))"
            }.joined(separator: ", ")
        }
        guard let choice = choice(address) else {
            guard address != nil else { return }
            throw CommandFailure(
                .noInput,
                "\(path): the strap named by --device sent no heart rate; "
                    + (all.isEmpty ? "none did." : "there is \(words(all))."))
        }
        guard !choice.others.isEmpty else { return }
        Output.standardError.say(
            "\(path): \(all.count) straps sent heart rates, and two straps are two hearts: only "
                + "\(words([choice.chosen])) counts here. --device chooses another one: "
                + "\(words(choice.others)).")
    }
}

extension CaptureSurvey {
    /// Why a replay shows no heart rate, and what to do; nil if there is heart rate.
    package var missingHeartRate: String? {
        guard !holds(.heartRateMeasurement) else { return nil }
        var reasons: [String] = []
        let handles = unknownHandles.filter { $0.looksLikeHeartRate && $0.count > 1 }
        if let likely = handles.max(by: { $0.count < $1.count }) {
            let handle = "0x" + String(likely.handle, radix: 16)
            reasons.append(
                "\(counted(likely.count, "notification")) of handle \(handle) look like it, "
                    + "but the capture does not name the characteristic; "
                    + "`--handle \(handle)=2a37` reads them"
            )
        } else if !unknownHandles.isEmpty {
            let count = unknownHandles.reduce(0) { $0 + $1.count }
            reasons.append(
                "\(counted(count, "notification")) of unknown handles, none of which looks like it")
        }
        reasons += unreadable
        if sentValues > 0 {
            reasons.append(
                "the machine that captured sent \(counted(sentValues, "value")) itself, and what "
                    + "it sends is not a reading")
        }
        if reasons.isEmpty {
            reasons.append(
                "\(counted(packets, "packet")), \(counted(links, "connection")), and no "
                    + "notification of a Heart Rate Measurement")
        }
        if let damage { reasons.append("only the part before the damage was read: \(damage)") }
        let sentence = reasons.joined(separator: "; ")
        return "no heart-rate characteristic here: \(sentence)" + (damage == nil ? "." : "")
    }

    /// What else is to be said of a capture that was replayed; nil if it was all read.
    var remark: String? {
        var parts = unreadable
        if !unknownHandles.isEmpty {
            let count = unknownHandles.reduce(0) { $0 + $1.count }
            parts.append("passed over \(counted(count, "notification")) of unknown handles")
        }
        if hasAssumedTimes {
            parts.append("no time in it can be read, so one value a second is assumed")
        }
        if let gap = timeGap { parts.append(gap) }
        return parts.isEmpty ? nil : parts.joined(separator: "; ") + "."
    }

    /// What the capture does not say of its times, and how to say it; nil if it says all.
    package var timeGap: String? {
        var parts: [String] = []
        if timeGaps.contains(.unreadable) {
            parts.append("some of its times are in a form that cannot be read")
        }
        if timeGaps.contains(.date) {
            parts.append(
                "the date of the capture is not known: add when it began, as "
                    + "--begin 2026-03-01T09:00")
        }
        if timeGaps.contains(.zone) {
            parts.append(
                "the zone of its times is not known: add --zone +01:00, "
                    + "--zone Europe/Berlin, or --zone here")
        }
        return parts.isEmpty ? nil : parts.joined(separator: "; ")
    }

    /// The packets and lines of which nothing can come.
    private var unreadable: [String] {
        let parts: [(count: UInt64, thing: String, words: String)] = [
            (encryptedPackets, "packet", " of encrypted links cannot be read"),
            (lostPackets, "packet", " cut off, damaged or incomplete"),
            (unreadLines, "line", " with a value in a form that cannot be read"),
            (droppedPackets, "packet", " came too fast for the program that captured"),
        ]
        return parts.filter { $0.count > 0 }.map { counted($0.count, $0.thing) + $0.words }
    }
}
