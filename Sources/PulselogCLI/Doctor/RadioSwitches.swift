internal import Glibc

/// The switches that keep Bluetooth adapters silent: rfkill(8), as the kernel shows them.
struct RadioSwitches {
    /// The kernel's folder of them.
    static let folder = "/sys/class/rfkill"

    /// The numbers of switches that are looked for; they grow each time an adapter is plugged in.
    private static let limit = 1_024

    /// Looks at the switches.
    ///
    /// - Parameter folder: The kernel's folder, or a test's.
    /// - Returns: A problem if an adapter is blocked; else that there is none.
    static func check(_ folder: String = folder) -> Diagnosis {
        var isSoft = false
        var isHard = false
        var count = 0
        for number in 0..<limit {
            let path = "\(folder)/rfkill\(number)"
            guard access(path, F_OK) == 0, word("type", of: path) == "bluetooth" else { continue }
            count += 1
            isSoft = isSoft || word("soft", of: path) == "1"
            isHard = isHard || word("hard", of: path) == "1"
        }
        if isHard {
            return .problem(
                .rfkill, "A switch of the machine blocks Bluetooth.",
                "Switch the radio on: a key or a slider of the case, or the firmware's settings.")
        }
        if isSoft {
            return .problem(.rfkill, "Bluetooth is blocked.", "Run `rfkill unblock bluetooth`.")
        }
        return .ok(
            .rfkill, count == 0 ? "There is no radio switch here." : "No radio switch blocks it.")
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
