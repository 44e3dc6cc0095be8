package import Events

/// A goal as people write it: `steps=6000`, `distance=5km`, `duration=45m`, `daily`.
package struct WrittenGoal {
    /// The goal; for `daily` the target is found at the start.
    package let goal: Goal

    /// Reads one; nil if it isn't one.
    package init?(_ argument: String) {
        if argument == "daily" {
            goal = Goal(kind: .daily, target: 0)
            return
        }
        guard let (key, value) = keyAndValue(in: argument) else { return nil }
        let target: (kind: GoalKind, number: UInt64?)
        switch key {
        case "steps": target = (.steps, WrittenQuantity(value, ["": 1])?.amount)
        case "distance": target = (.distance, WrittenDistance(value)?.millimetres)
        case "duration": target = (.duration, WrittenDuration(value)?.milliseconds)
        default: return nil
        }
        guard let number = target.number else { return nil }
        goal = Goal(kind: target.kind, target: number)
        guard goal.canBeChosen else { return nil }
    }
}

/// A distance as people write it: `5km`, `2.5miles`, `800m`; at most a million kilometres.
package struct WrittenDistance {
    /// How far.
    package let millimetres: UInt64

    /// Reads one; nil if it isn't one.
    package init?(_ text: String) {
        guard let length = WrittenQuantity(text, Units.distances),
            length.amount <= 1_000_000_000_000
        else { return nil }
        millimetres = length.amount
    }
}

/// A duration as people write it: `90s`, `45m`, `2h`, `1h30m`; at most a week.
package struct WrittenDuration {
    static let units: [String: UInt64] = [
        "s": 1_000, "m": 60_000, "min": 60_000, "minutes": 60_000, "h": 3_600_000,
    ]

    /// How long, 1,000 or more.
    package let milliseconds: UInt64

    /// Reads one; nil if it isn't one.
    package init?(_ text: String) {
        guard let time = WrittenQuantity(text, Self.units),
            (1_000...604_800_000).contains(time.amount)
        else { return nil }
        milliseconds = time.amount
    }
}

/// An address as people write it: `C4:00:00:00:00:01`, or `kernel/…` of a step counter.
package struct WrittenAddress {
    /// The 48 bits.
    package let value: UInt64
    /// Whether it is a step counter of this machine.
    package let isKernel: Bool

    /// Reads one; nil if it isn't one.
    package init?(_ argument: String) {
        guard let device = DeviceID(argument), device.space != .other else {
            return nil
        }
        value = device.address
        isKernel = device.space == .kernel
    }
}
