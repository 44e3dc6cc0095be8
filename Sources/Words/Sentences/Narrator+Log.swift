internal import Decoding
package import Events
package import Projections
internal import Text

extension Narrator {
    /// Hears an event that is durable.
    ///
    /// - Parameters:
    ///   - event: The event.
    ///   - state: The state after it.
    ///   - name: Gives what a device is called, harmless in a terminal.
    /// - Returns: What is to be said now, or nil.
    package mutating func hear(
        _ event: RecordedEvent, in state: LogState, naming name: (DeviceID) -> DeviceTitle
    ) -> String? {
        let now = event.header.stamp.bootMilliseconds
        switch event.event {
        case .linkUp(let event):
            if !greeted.contains(event.device) {
                greetings[event.device] = Greeting(since: now)
            }
            return nil
        case .characteristicNotified(let event):
            hearValue(of: event.device)
            hear(event.characteristic, event.value, of: event.device)
            let fault = hear(event.fault, of: event.device, at: now, name, state)
            return greet(event.device, at: now, name, state)
                ?? warn(of: event.device, at: now, name)
                ?? tellOfContact(event.device, at: now, state) ?? fault
        case .pedometerRead(let event):
            hearValue(of: event.device)
            let fault = hear(event.fault, of: event.device, at: now, name, state)
            return greet(event.device, at: now, name, state)
                ?? warn(of: event.device, at: now, name) ?? fault
        case .characteristicRead(let event):
            hear(event.characteristic, event.value, of: event.device)
            return greet(event.device, at: now, name, state)
                ?? warn(of: event.device, at: now, name)
        case .contactChosen(let event):
            return event.ignored
                ? "Values of \(name(event.device)) now count whatever contact it reports."
                : "What \(name(event.device)) reports about contact counts again."
        case .deviceExcluded(let event):
            let isOpen = state.own.sessions.open?.position == event.session
            let walk = isOpen ? "this walk" : "an earlier walk"
            return "Values of \(name(event.device)) are "
                + (event.excluded ? "left out of \(walk)." : "part of \(walk) again.")
        case .deliveryMultiplied(let event):
            return event.sentence { name($0).description }
                + (event.factor > 1 ? " Close that program." : "")
        case .deviceForgotten(let event):
            return "\(name(event.device)) was forgotten; this recording no longer uses it."
        case .turnAroundReached(let goal): return goal.turnSentence(state.units)
        case .goalReached(let goal): return goal.reachedSentence(state.units)
        case .intakeOverflowed(let event) where event.intake.known == .place:
            let lost = event.lostEvents == 1 ? "1 was" : "\(grouped(event.lostEvents)) were"
            return tell(
                "Positions arrive faster than any receiver sends them: \(lost) left out, and one "
                    + "a second is recorded. Check what sends them.", .fixFlood, at: now)
        // What could not be taken from the bus was told as it came.
        case .intakeOverflowed(let event) where event.intake.known != .bus:
            let inputs = event.lostEvents == 1 ? "1 input" : "\(grouped(event.lostEvents)) inputs"
            let sentence =
                "Input came faster than it could be written: \(inputs) lost, all others "
                + "recorded. Check for a slow disk, or a program that floods the bus."
            return tell(sentence, .overflow, at: now)
        default: return nil
        }
    }

    private mutating func hear(
        _ characteristic: CharacteristicCode, _ value: [UInt8], of device: DeviceID
    ) {
        do throws(MalformedMeasurement) {
            switch characteristic {
            case .batteryLevel: batteries[device] = try BatteryLevel(decoding: value.span).percent
            case .heartRateMeasurement where greetings[device] != nil:
                greetings[device]?.value = try HeartRateMeasurement(decoding: value.span)
            default: return
            }
        } catch {
            return  // The log has it, and counts it.
        }
    }

    /// What was reported of the values of a device that cannot be used; nil if they can.
    package func unreadable(_ device: DeviceID?) -> String? {
        device.flatMap { standing[.unreadable($0)] }
    }

    /// Tells of a device whose values cannot be used, ten in a row or for some time; what was told
    /// is over with the next one that can.
    private mutating func hear(
        _ fault: ValueFault?, of device: DeviceID, at now: UInt64,
        _ name: (DeviceID) -> DeviceTitle, _ state: LogState
    ) -> String? {
        guard let fault else {
            faults[device] = nil
            end(.unreadable(device))
            return nil
        }
        let (count, since, at) =
            faults[device] ?? (0, now, state.localTime(at: state.lastMoment).clock)
        faults[device] = (count + 1, since, at)
        let limit = Self.faultLimit
        guard count + 1 >= limit.count || now >= since + limit.milliseconds else { return nil }
        let told = tell(fault.sentence(of: name(device)), .unreadable(device), at: now)
        if told != nil { standing[.unreadable(device)] = fault.row(count + 1, since: at) ?? told }
        return told
    }

    /// Whether a strap is linked whose values and battery are still to be told.
    package func isGreeting(_ device: DeviceID) -> Bool { greetings[device] != nil }

    /// Tells name, heart rate, contact and battery of a strap, once in a recording.
    private mutating func greet(
        _ device: DeviceID, at now: UInt64, _ name: (DeviceID) -> DeviceTitle, _ state: LogState
    ) -> String? {
        // What counts steps has no value to be told.
        let roles = state.own.devices[device]?.roles ?? []
        guard let greeting = greetings[device],
            greeting.value != nil || !roles.isEmpty && !roles.contains(.heart)
        else { return nil }
        let battery = batteries[device]
        guard battery != nil || now >= greeting.since + Self.greetingMilliseconds else {
            return nil
        }
        greetings[device] = nil
        greeted.insert(device)
        var parts: [String] = []
        if let value = greeting.value {
            let reading = HeartReading(value, of: state.own.devices[device], state.rules)
            let bpm = reading.heartRateBPM
            parts.append(bpm == 0 ? "no heart rate yet" : "\(bpm) BPM")
            if reading.isWithoutContact {
                parts.append("no contact: \(name(device).isStrap ? "moisten" : "tighten") it")
            } else if value.contact == .detected {
                parts.append("contact")
            }
        }
        if let battery {
            parts.append("battery \(battery) %")
            lowBatteries[device] = Self.lowBatteryPercents.first { battery <= $0 }
        }
        let low = lowBatteries[device] == nil ? "" : " Its battery is low: keep a spare ready."
        let words = parts.isEmpty ? "" : ": \(parts.joined(separator: ", "))"
        return "\(name(device)) is connected\(words)." + low
    }

    /// Tells once of a strap whose values carry beats and never report contact.
    private mutating func tellOfContact(
        _ device: DeviceID, at now: UInt64, _ state: LogState
    ) -> String? {
        guard let strap = state.own.contactlessStrap(device) else {
            end(.contactless(device))
            return nil
        }
        guard told[.contactless(device)] == nil else { return nil }
        return tell(strap.sentence, .contactless(device), at: now)
    }

    /// Tells of a low battery, once at each limit while it falls, and not before a greeting could.
    private mutating func warn(
        of device: DeviceID, at now: UInt64, _ name: (DeviceID) -> DeviceTitle
    ) -> String? {
        let due = greetings[device].map { $0.since + Self.greetingMilliseconds } ?? 0
        guard now >= due, let percent = batteries[device] else { return nil }
        if let lowest = lowBatteries[device], percent >= lowest + Self.batteryRisePercents {
            lowBatteries[device] = Self.lowBatteryPercents.first { $0 > lowest && percent <= $0 }
        }
        guard let limit = Self.lowBatteryPercents.first(where: { percent <= $0 }),
            limit < lowBatteries[device] ?? .max
        else { return nil }
        lowBatteries[device] = limit
        return "The battery of \(name(device)) is at \(percent) %; recording continues. Keep a "
            + "spare ready."
    }
}
