internal import BluetoothCaptures
internal import Events
internal import Words

extension CaptureSurvey {
    /// Why a replay shows no heart rate, and what to do; nil if there is heart rate.
    var missingHeartRate: String? {
        guard !holds(.heartRateMeasurement) else { return nil }
        var reasons: [String] = []
        let handles = unknownHandles.filter { $0.looksLikeHeartRate && $0.count > 1 }
        if let likely = handles.max(by: { $0.count < $1.count }) {
            let handle = "0x" + String(likely.handle, radix: 16)
            reasons.append(
                "\(counted(likely.count, "notification")) of handle \(handle) look like it, "
                    + "but the capture does not tell the characteristic; "
                    + "`--handle \(handle)=2a37` reads them"
            )
        } else if !unknownHandles.isEmpty {
            let count = unknownHandles.reduce(0) { $0 + $1.count }
            reasons.append(
                "\(counted(count, "notification")) of unknown handles do not look like it")
        }
        if encryptedPackets > 0 {
            reasons.append(
                "\(counted(encryptedPackets, "packet")) of encrypted links cannot be read")
        }
        if sentValues > 0 {
            reasons.append(
                "\(counted(sentValues, "value")) were sent by the machine that captured, and "
                    + "are not readings")
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
        var parts: [String] = []
        if encryptedPackets > 0 {
            parts.append("\(counted(encryptedPackets, "packet")) of encrypted links cannot be read")
        }
        if lostPackets > 0 {
            parts.append("\(counted(lostPackets, "packet")) were damaged or incomplete")
        }
        if !unknownHandles.isEmpty {
            let count = unknownHandles.reduce(0) { $0 + $1.count }
            parts.append("\(counted(count, "notification")) of unknown handles were passed over")
        }
        if hasAssumedTimes {
            parts.append("it tells no times, so that a value each second is assumed")
        }
        return parts.isEmpty ? nil : parts.joined(separator: "; ") + "."
    }
}
