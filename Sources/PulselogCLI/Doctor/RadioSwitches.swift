internal import Glibc
internal import Words

/// The switches that keep Bluetooth adapters silent: rfkill(8), as the kernel shows them.
struct RadioSwitches {
    /// The kernel's folder of them, or the one that stands for it.
    static var folder: String {
        CommonOptions.variable("PULSELOG_RFKILL") ?? "/sys/class/rfkill"
    }

    /// The numbers of switches that are looked for; they grow each time an adapter is plugged in.
    private static let limit = 1_024

    /// Looks whether anything is blocked by all of the switches.
    ///
    /// - Parameter folder: The kernel's folder, or a test's.
    /// - Returns: What blocks every adapter, or nil if one is free or there is no switch.
    static func block(_ folder: String = folder) -> RadioBlock? {
        let (count, areHard) = look(folder)
        guard count > 0, areHard.count == count else { return nil }
        return areHard.contains(false) ? .software : .hardware
    }

    /// How many there are, and of each that blocks, whether it is a switch of the machine.
    private static func look(_ folder: String) -> (count: Int, areHard: [Bool]) {
        var count = 0
        var areHard: [Bool] = []
        for number in 0..<limit {
            let path = "\(folder)/rfkill\(number)"
            guard access(path, F_OK) == 0, word("type", of: path) == "bluetooth" else { continue }
            count += 1
            let (isSoft, isHard) = (word("soft", of: path) == "1", word("hard", of: path) == "1")
            if isSoft || isHard { areHard.append(isHard) }
        }
        return (count, areHard)
    }

    /// Looks at the switches.
    ///
    /// - Parameter folder: The kernel's folder, or a test's.
    /// - Returns: A problem if every adapter is blocked, a warning if some are.
    static func check(_ folder: String = folder) -> Diagnosis {
        let (count, areHard) = look(folder)
        guard !areHard.isEmpty else {
            return .ok(
                .rfkill,
                count == 0 ? "There is no radio switch here." : "No radio switch blocks it.")
        }
        // What a command can unblock is told first.
        let advice =
            areHard.contains(false)
            ? "Run `rfkill unblock bluetooth`."
            : "Switch the radio on: a key or a slider of the case, or the firmware's settings."
        guard areHard.count == count else {
            return .warning(.rfkill, "\(areHard.count) of \(count) adapters are blocked.", advice)
        }
        return .problem(
            .rfkill,
            areHard.contains(false)
                ? "Bluetooth is blocked." : "A switch of the machine blocks Bluetooth.", advice)
    }

    /// The text of a small file, without its line end; empty if it cannot be read.
    private static func word(_ name: String, of folder: String) -> String {
        do throws(CommandFailure) {
            let bytes = try SystemFile.read("\(folder)/\(name)", limitBytes: 4_096)
            return String(decoding: bytes.filter { $0 > 0x20 }, as: UTF8.self)
        } catch {
            return ""  // The switch has just gone, with its adapter.
        }
    }
}
