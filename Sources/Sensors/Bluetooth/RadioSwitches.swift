internal import Glibc
package import Words

/// The switches that keep Bluetooth adapters silent: rfkill(8), as the kernel shows them.
package struct RadioSwitches: Hashable, Sendable {
    /// Where the kernel shows them.
    package static let kernelFolder = "/sys/class/rfkill"

    /// The numbers of switches that are looked for; they grow each time an adapter is plugged in.
    private static let limit = 1_024

    /// How many adapters have a switch.
    package private(set) var count = 0
    /// What blocks an adapter, for each that is blocked.
    package private(set) var blocks: [RadioBlock] = []

    /// Looks at the switches.
    ///
    /// - Parameter folder: The kernel's folder, or one that stands for it; it need not exist.
    package init(in folder: String = kernelFolder) {
        for number in 0..<Self.limit {
            let path = "\(folder)/rfkill\(number)"
            guard access(path, F_OK) == 0, FilePlace.line(of: "\(path)/type") == "bluetooth" else {
                continue
            }
            count += 1
            if FilePlace.line(of: "\(path)/hard") == "1" {
                blocks.append(.hardware)
            } else if FilePlace.line(of: "\(path)/soft") == "1" {
                blocks.append(.software)
            }
        }
    }

    /// What blocks every adapter, or nil if one is free or there is no switch; what a command can
    /// unblock goes first.
    package var block: RadioBlock? {
        guard count > 0, blocks.count == count else { return nil }
        return blocks.contains(.software) ? .software : .hardware
    }
}
