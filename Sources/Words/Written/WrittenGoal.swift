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
        let parts = argument.split(separator: "=", maxSplits: 1).map(String.init)
        guard parts.count == 2 else { return nil }
        let target: (kind: GoalKind, number: UInt64?)
        switch parts[0] {
        case "steps": target = (.steps, UInt64(parts[1]))
        case "distance": target = (.distance, WrittenDistance(parts[1])?.millimetres)
        case "duration": target = (.duration, WrittenDuration(parts[1])?.milliseconds)
        default: return nil
        }
        guard let number = target.number else { return nil }
        goal = Goal(kind: target.kind, target: number)
        guard goal.canBeChosen else { return nil }
    }
}

/// A distance as people write it: `5km`, `2.5miles`, `800m`; at most a million of them.
package struct WrittenDistance {
    /// How far.
    package let millimetres: UInt64

    /// Reads one; nil if it isn't one.
    package init?(_ text: String) {
        let number = text.prefix { !$0.isLetter }
        let units = Units.distances.merging(["m": 1_000]) { one, _ in one }
        let parts = number.split(separator: ".", omittingEmptySubsequences: false)
        guard let factor = units[String(text.dropFirst(number.count))], parts.count <= 2,
            let whole = UInt64(parts[0]), whole <= 1_000_000
        else { return nil }
        var length = whole * factor
        if parts.count == 2 {
            guard (1...3).contains(parts[1].count), let decimals = UInt64(parts[1]) else {
                return nil
            }
            let scale: [UInt64] = [1, 10, 100, 1_000]
            length += decimals * factor / scale[parts[1].count]
        }
        millimetres = length
    }
}

/// A duration as people write it: `90s`, `45m`, `2h`, `1h30m`; at most a week.
package struct WrittenDuration {
    /// How long, 1,000 or more.
    package let milliseconds: UInt64

    /// Reads one; nil if it isn't one.
    package init?(_ argument: String) {
        var total: UInt64 = 0
        var digits = ""
        for character in argument {
            if character.isASCII, character.isNumber, digits.count < 7 {
                digits.append(character)
                continue
            }
            let units: [Character: UInt64] = ["s": 1_000, "m": 60_000, "h": 3_600_000]
            guard let unit = units[character], let number = UInt64(digits) else { return nil }
            total += number * unit
            digits = ""
        }
        guard digits.isEmpty, (1_000...604_800_000).contains(total) else { return nil }
        milliseconds = total
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
